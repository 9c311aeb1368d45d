"""Where templates, static files and examples lie: beside the packages in a checkout, inside ui/ in
a wheel."""

from pathlib import Path


def find(name: str) -> Path:
    """The folder `name`; raises FileNotFoundError when an installation lacks it."""
    here = Path(__file__).resolve().parent
    for place in (here / name, here.parent / name, here.parents[1] / name):
        if place.is_dir():
            return place
    raise FileNotFoundError(f"The folder {name} of the web page is missing; install Zorora again.")

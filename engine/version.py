"""The version of this program."""


def own_version() -> str:
    """The installed version; "checkout" when it runs without being installed."""
    # Reading the metadata of packages takes longer than opening the database
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("zorora")
    except PackageNotFoundError:
        return "checkout"

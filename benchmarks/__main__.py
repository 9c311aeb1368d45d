"""`python -m benchmarks NAME... [--json] [--data PATH] [--quick]`: measure, print against the bars,
fail below one."""

import argparse
import importlib
import json
import os
import platform
import sys
import time
import traceback
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks.options import Options, public_data

# What there is, in the order in which `all` measures it
NAMES = (
    "answers", "startup", "terminal", "code_work", "install", "pipeline", "memory", "history",
    "pages", "corpus", "retrieval", "judges", "written", "models", "credibility", "documents",
    "sources", "queries", "standin", "baselines",
)  # fmt: skip
# Only when named
LONG = (
    "abstracts",
    "beside",
    "live",
    "million",
    "politeness",
    "scaling",
    "soak",
)
MODULES = {"standin": "standin_faults"}  # where the file is called otherwise


def main(argv: Sequence[str] | None = None) -> int:
    """Exit status 0 when every bar is met, 1 when one is not, 2 for a wrong name."""
    args = _parser().parse_args(argv)
    names = list(NAMES) if "all" in args.names else args.names
    wrong = [name for name in names if name not in (*NAMES, *LONG)]
    if wrong or not names:
        print(
            f"Unknown: {', '.join(wrong) or 'nothing named'}. There are "
            f"{', '.join((*NAMES, *LONG))}, all.",
            file=sys.stderr,
        )
        return 2
    options = Options(args.data, public_data(), args.quick, args.verifier)
    os.environ.pop("ZORORA_DATA", None)  # noqa: TID251 - the program would take it for a setting it does not know
    figures = {name: _measured(name, options, args.json) for name in names}
    if args.json:
        print(json.dumps({"machine": _machine(), "figures": figures}, indent=2, ensure_ascii=False))
    return 1 if any(row["ok"] is False for rows in figures.values() for row in rows) else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument(
        "names",
        nargs="*",
        metavar="NAME",
        help=f"{', '.join(NAMES)}, all, or {', '.join(LONG)} (minutes)",
    )
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    parser.add_argument(
        "--data", type=Path, metavar="PATH", help="measure on this data instead, in the same format"
    )
    parser.add_argument(
        "--verifier",
        metavar="NAME",
        help="judges: an entailment model beside the checks, onnx:FOLDER",
    )
    parser.add_argument("--quick", action="store_true", help="smaller and rougher")
    return parser


def _measured(name: str, options: Options, quiet: bool) -> list[dict[str, Any]]:
    print(f"{name} ...", file=sys.stderr)
    began = time.perf_counter()
    module = importlib.import_module(f"benchmarks.{MODULES.get(name, name)}")
    try:
        rows: list[dict[str, Any]] = [dict(row) for row in module.run(options)]
    except Exception as fault:  # noqa: BLE001 - one that breaks must not hide the figures of the others, and is no pass
        traceback.print_exc()
        reason = " ".join(str(fault).split())[:100]
        rows = [
            {"what": f"{name} broke: {reason}", "value": None, "unit": "", "bar": "", "ok": False}
        ]
    if not quiet:
        _print(name, rows, time.perf_counter() - began)
    return rows


def _print(name: str, rows: list[dict[str, Any]], seconds: float) -> None:
    print(f"\n{name}  ({seconds:.0f} s)")
    width = max((len(str(row["what"])) for row in rows), default=0)
    for row in rows:
        value = "-" if row["value"] is None else f"{row['value']}"
        verdict = {True: "ok", False: "BELOW THE BAR", None: ""}[row["ok"]]
        print(
            f"  {row['what']:<{width}}  {value:>10} {row['unit']:<6} "
            f"{row['bar'] or '':<10} {verdict}".rstrip()
        )


def _machine() -> dict[str, Any]:
    return {
        "date": time.strftime("%Y-%m-%d"),
        "system": platform.platform(),
        "processor": platform.processor() or platform.machine(),
        "python": platform.python_version(),
    }


if __name__ == "__main__":
    sys.exit(main())

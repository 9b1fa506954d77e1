"""Puts the environment package into a checkout of the trainer and names it in its registry. Safe to run again.

Usage: python register.py CHECKOUT   (the folder that holds open_instruct/)
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

LINES = """
from open_instruct.environments.misstep_env import MisstepPrefixEnvConfig  # noqa: E402

TOOL_REGISTRY[MisstepPrefixEnvConfig.tool_class.config_name] = MisstepPrefixEnvConfig
"""


def main(checkout: Path) -> None:
    environments = checkout / "open_instruct" / "environments"
    registry = environments / "tools" / "tools.py"
    if not registry.is_file():
        sys.exit(f"{registry} is not there: give the folder that holds open_instruct/")
    text = registry.read_text(encoding="utf-8")
    if "TOOL_REGISTRY" not in text:
        sys.exit(f"{registry} has no TOOL_REGISTRY: this is another version than the one the bundle was made for")
    package = environments / "misstep_env"
    if package.exists():
        shutil.rmtree(package)
    source = Path(__file__).resolve().parent / "misstep_env"
    shutil.copytree(source, package, ignore=shutil.ignore_patterns("__pycache__"))
    if LINES not in text:
        registry.write_text(text.rstrip("\n") + "\n" + LINES, encoding="utf-8")
    print(f"misstep_prefix is in {registry}")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(Path(sys.argv[1]))

"""The software bill of materials of a release, as CycloneDX 1.6 in JSON.

    python -m tests.dependencies.sbom dist/

writes one file, made of the metadata of the packages that are installed here: all that Lawspeaker
needs, and all that one of its extras would bring along (marked as optional). What only the tests
and GPUs need is left out. The same packages give the same file: it has no time in it.
"""

from __future__ import annotations

import json
import sys
import uuid
from collections.abc import Iterable
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

OURS = "lawspeaker"
LEFT_OUT = frozenset({"test", "gpu"})


def requirements_of(package: Distribution, extras: Iterable[str]) -> list[Requirement]:
    """What a package needs here, with some of its extras."""
    found = [Requirement(each) for each in package.requires or ()]
    wanted = ("", *extras)
    return [
        each
        for each in found
        if each.marker is None or any(each.marker.evaluate({"extra": name}) for name in wanted)
    ]


def closure(extras: Iterable[str]) -> dict[str, Distribution]:
    """All packages that some extras of ours bring along, without ours, as far as they are here."""
    found: dict[str, Distribution] = {}
    waiting = [(OURS, frozenset(extras))]
    done: set[tuple[str, frozenset[str]]] = set()
    while waiting:
        name, wanted = waiting.pop()
        if (name, wanted) in done:
            continue
        done.add((name, wanted))
        try:
            package = distribution(name)
        except PackageNotFoundError:
            continue
        if name != OURS:
            found[name] = package
        for each in requirements_of(package, wanted):
            waiting.append((canonicalize_name(each.name), frozenset(each.extras)))
    return found


def purl(package: Distribution) -> str:
    return f"pkg:pypi/{canonicalize_name(package.name)}@{package.version}"


def component(package: Distribution, scope: str) -> dict[str, Any]:
    told: dict[str, Any] = {
        "type": "library",
        "bom-ref": purl(package),
        "name": canonicalize_name(package.name),
        "version": package.version,
        "purl": purl(package),
        "scope": scope,
    }
    metadata = package.metadata
    if "License-Expression" in metadata:
        expression = metadata["License-Expression"]
        told["licenses"] = [{"expression": expression}]
    elif names := [
        each.rpartition(" :: ")[2]
        for each in metadata.get_all("Classifier") or ()
        if each.startswith("License ::")
    ]:
        told["licenses"] = [{"license": {"name": each}} for each in names]
    return told


def bill() -> dict[str, Any]:
    """The whole bill."""
    ours = distribution(OURS)
    extras = sorted(set(ours.metadata.get_all("Provides-Extra") or ()) - LEFT_OUT)
    required, all_of_them = closure(()), closure(extras)
    packages = [all_of_them[name] for name in sorted(all_of_them)]
    components = [
        component(each, "required" if canonicalize_name(each.name) in required else "optional")
        for each in packages
    ]
    described = {**component(ours, "required"), "type": "application"}
    del described["scope"]
    known = {canonicalize_name(each.name): purl(each) for each in packages}
    dependencies = [
        {
            "ref": purl(each),
            "dependsOn": sorted(
                {
                    known[name]
                    for wanted in requirements_of(each, extras if each is ours else ())
                    if (name := canonicalize_name(wanted.name)) in known
                }
            ),
        }
        for each in (ours, *packages)
    ]
    text = json.dumps([components, dependencies])
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "serialNumber": uuid.uuid5(uuid.NAMESPACE_URL, purl(ours) + text).urn,
        "version": 1,
        "metadata": {"component": described},
        "components": components,
        "dependencies": dependencies,
    }


def main(folder: Path) -> None:
    folder.mkdir(exist_ok=True)
    found = bill()
    file = folder / f"{OURS}-{found['metadata']['component']['version']}.cdx.json"
    file.write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")
    print(f"{file}: {len(found['components'])} packages")


if __name__ == "__main__":
    main(Path(sys.argv[1]))

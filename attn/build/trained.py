"""The results of the lookup experiment, kept in the output folder until the experiment changes."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from pathlib import Path

from attn.build.output import TRAINED, write
from attn.lab import lookup


def file(folder: Path) -> Path:
    """Where the results are kept in the output folder."""
    return folder / TRAINED


def load(folder: Path, say: Callable[[str], None] = lambda line: None) -> lookup.Lookup:
    """The results kept in `folder`; trains and keeps them where there are none or the experiment has changed."""
    path, made_by = file(folder), lookup.digest()
    try:
        content = json.loads(path.read_bytes())
        if content["experiment"] == made_by and content["digest"] == _digest_of(content["results"]):
            return lookup.from_data(content["results"])
    except (OSError, ValueError, KeyError, TypeError):
        pass
    results = lookup.experiment(say)
    kept = {"experiment": made_by, "digest": _digest_of(results), "results": results}
    write(path, (json.dumps({"format": "attn-lookup/1", **kept}) + "\n").encode())
    return lookup.from_data(results)


def _digest_of(results: dict) -> str:
    """By which a file that was altered is known."""
    return hashlib.sha256(json.dumps(results).encode()).hexdigest()

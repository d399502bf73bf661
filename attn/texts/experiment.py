"""What every picture of the lookup experiment says of it."""

from __future__ import annotations

SOURCE = "the published run"


def settings_said(found) -> str:
    """The experiment's setting, and where it differs from the published one."""
    s, p = found.settings, found.published
    return (
        f"Setting as published ({s['tags']} tags, {s['values']} values, d_model {s['d_model']}, d_k {s['d_k']}, "
        f"batches of {s['batch']}, Adam, {s['steps']} steps), but a learning rate of {s['rate']} instead of "
        f"{p['rate']}; embeddings start with entries of spread {s['embedded']:g}, matrices with {s['projected']:g} / "
        "√rows."
    )

"""The systems that `hin compare` runs by name: one file per system, one interface (section 4 and appendix A.3)."""

from __future__ import annotations

from classify.comparators.parts.system import SYSTEMS, About, Outcome, System, Task

__all__ = ["SYSTEMS", "About", "Outcome", "System", "Task"]

"""Files → memory: Markdown that people keep is found again, with its lines."""

from __future__ import annotations

from memory_sync.syncing import SyncReport, sync

__all__ = ["SyncReport", "sync"]

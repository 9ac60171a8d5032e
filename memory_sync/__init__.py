"""Files → memory: Markdown that people keep is found again, with its lines."""

from __future__ import annotations

from memory_sync.scan import Skipped
from memory_sync.search import ChunkWhy, FoundChunk, SearchResult, search
from memory_sync.sessions import (
    Influence,
    KnownFile,
    MemorySession,
    Replay,
    ShownChunk,
    archive_session,
    audit,
    create_memory_session,
    credit_response,
    list_memory_sessions,
    memory_session,
    replay_session,
)
from memory_sync.state import SyncState, state
from memory_sync.syncing import SyncReport, reindex, sync
from memory_sync.watch import Watcher, watch

__all__ = [
    "ChunkWhy", "FoundChunk", "Influence", "KnownFile", "MemorySession", "Replay", "SearchResult", "ShownChunk",
    "Skipped", "SyncReport", "SyncState", "Watcher", "archive_session", "audit", "create_memory_session",
    "credit_response", "list_memory_sessions", "memory_session", "reindex", "replay_session", "search", "state", "sync",
    "watch",
]  # fmt: skip

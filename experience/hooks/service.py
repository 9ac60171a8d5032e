"""The hooks' door of the service: takes in what a hook hands over, on loopback, from whoever knows the secret."""

from __future__ import annotations

import os
import secrets
import socket
from contextlib import contextmanager
from hmac import compare_digest
from threading import Thread

from experience.hooks import resident, trouble
from experience.hooks.answering import answer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from experience.memory import Memory

MOST = 9_000_000  # bytes of what is handed over
READING_S = 1.0


@contextmanager
def listening(memory: Memory) -> Iterator[int]:
    """Answer the hooks of a project until the block ends; gives the port."""
    line = socket.create_server((resident.LOOPBACK, 0))
    greeting, secret, port = secrets.token_hex(16), secrets.token_hex(16), line.getsockname()[1]
    place = resident.place(memory.root)
    worker = Thread(target=_serve, args=(line, greeting, secret, memory), daemon=True)
    worker.start()
    _announce(place, f"{port} {greeting} {secret}\n")
    try:
        yield port
    finally:
        _withdraw(place, secret)
        _close(line, port)
        worker.join(READING_S)


def _serve(line: socket.socket, greeting: str, secret: str, memory: Memory) -> None:
    """One hook after the other, in a thread of its own: each takes a few milliseconds."""
    while True:
        try:
            other, _ = line.accept()
        except OSError:
            return  # closed
        with other:
            try:
                other.settimeout(READING_S)
                other.sendall(greeting.encode())
                other.sendall(_reply(other, secret, memory))
            except OSError:
                continue  # a hook that gave up


def _reply(other: socket.socket, secret: str, memory: Memory) -> bytes:
    given = b""
    while (part := other.recv(resident.PIECE)) and len(given) < MOST:
        given += part
        if b"\n" in given and not compare_digest(given.partition(b"\n")[0], secret.encode()):
            return b""  # not one of ours; a browser, perhaps
    known, host, event, raw = (*given.split(b"\n", 3), b"", b"", b"")[:4]
    if not compare_digest(known, secret.encode()):
        return b""
    name, happened = host.decode("utf-8", "replace"), event.decode("utf-8", "replace")
    try:
        return resident.MINE + answer(name, happened, raw, hall=memory).encode()
    except resident.Elsewhere:
        return resident.ELSEWHERE
    except Exception as error:  # one event that fails must not close the door to all that follow
        trouble.note(memory.home, name, happened, error)
        return resident.MINE  # it was taken in; the hook must not do it again


def _announce(place: str, told: str) -> None:
    """Write how to be reached, for this user's eyes only."""
    try:
        os.makedirs(os.path.dirname(place), exist_ok=True)
        handle = os.open(f"{place}.tmp", os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(handle, "w", encoding="ascii") as file:
            file.write(told)
        os.replace(f"{place}.tmp", place)
    except OSError:
        return  # hooks do without


def _withdraw(place: str, secret: str) -> None:
    """Take back what was announced, unless another service has taken its place."""
    try:
        with open(place, encoding="ascii") as file:
            own = secret in file.read()
        if own:
            os.remove(place)
    except OSError:
        return


def _close(line: socket.socket, port: int) -> None:
    """Close the line; a last call wakes the thread that waits on it."""
    try:
        socket.create_connection((resident.LOOPBACK, port), timeout=READING_S).close()
    except OSError:
        line.close()
        return
    line.close()

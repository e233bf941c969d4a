"""What a back-fill remembers of one project: how far each file was read, and which events are in the spool already.

A SQLite file, so that a killed process leaves it whole and a gigabyte of past does not have to fit into memory. Nothing
in it is a truth of its own: what a run has appended and not noted yet is found in the spool at the next start, and a
file that is damaged is made anew from there.
"""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from gitinstinct import paths
from gitinstinct.backfill.event import moment
from gitinstinct.capture import codec, gone, reader

_VERSION = 1
_SCHEMA = """
CREATE TABLE files (path TEXT PRIMARY KEY, inode INTEGER, size INTEGER, mark TEXT, offset INTEGER, at TEXT);
CREATE TABLE seen (key TEXT PRIMARY KEY) WITHOUT ROWID;
CREATE TABLE prompts (key TEXT, at REAL, PRIMARY KEY (key, at)) WITHOUT ROWID;
CREATE TABLE sessions (key TEXT PRIMARY KEY, family TEXT) WITHOUT ROWID;
CREATE TABLE gone (key TEXT, first REAL, last REAL);
CREATE INDEX gone_key ON gone (key);
CREATE TABLE spool (segment TEXT PRIMARY KEY, offset INTEGER) WITHOUT ROWID;
"""
_DIGITS = 16
_SAME_PROMPT = 120.0  # seconds between a prompt's hook and its line in a transcript
_AROUND = 60.0
LIVE = "live"


@dataclass(frozen=True, slots=True)
class Mark:
    """How far a file was read: its inode, its size when it was read to its end (0 if it was not yet), a hash of its
    beginning and of what lies before the offset."""

    inode: int
    size: int
    mark: str
    offset: int


class Memory:
    """The memory of one project's back-fills. Changes are kept by `commit`; a rehearsal works on a copy."""

    def __init__(self, place: str, *, rehearsed: bool = False) -> None:
        self._db = _copied(place) if rehearsed else _opened(place)

    def close(self) -> None:
        """Leaves the file; what was not committed is dropped."""
        self._db.close()

    def commit(self) -> None:
        """Keeps what was noted.

        Raises:
            sqlite3.Error: the disk does not take it.
        """
        self._db.commit()

    # --- files

    def file(self, path: Path) -> Mark | None:
        """How far a file of that path was read; None if it never was."""
        row = self._db.execute("SELECT inode, size, mark, offset FROM files WHERE path = ?", [_name(path)]).fetchone()
        return Mark(*row) if row else None

    def read_file(self, path: Path, mark: Mark, now: datetime) -> None:
        """Notes how far a file was read."""
        row = [_name(path), mark.inode, mark.size, mark.mark, mark.offset, now.isoformat()]
        self._db.execute("INSERT OR REPLACE INTO files VALUES (?, ?, ?, ?, ?, ?)", row)

    # --- events

    def learn_spool(self, projects: Iterable[str]) -> None:
        """Notes what the spools hold that was not looked at yet: what hooks captured, and what was appended here."""
        for project in projects:
            begin = dict(self._db.execute("SELECT segment, offset FROM spool WHERE segment LIKE ?", [f"{project}/%"]))
            reading = reader.read(project, {name.partition("/")[2]: offset for name, offset in begin.items()})
            for _, record in reading:
                self.note(record)
            rows = [(f"{project}/{name}", offset) for name, offset in reading.cursor.items()]
            self._db.executemany("INSERT OR REPLACE INTO spool VALUES (?, ?)", rows)
            self._db.execute("DELETE FROM gone WHERE key LIKE ?", [f"{project}/%"])
            for harness, session, first, last in gone.sessions(project):
                row = [f"{project}/{_hash(harness, session)}", first.timestamp(), last.timestamp()]
                self._db.execute("INSERT INTO gone VALUES (?, ?, ?)", row)
        self.commit()

    def note(self, record: Mapping[str, Any]) -> None:
        """Notes a record of the spool: from now on its event is known."""
        harness, past = str(record.get("harness", "")), str(record.get("past", ""))
        family, _, key = past.partition(":")
        keys = [key] if key else []
        if record.get("id"):
            keys.append(call_key(harness, str(record["id"])))
        self._db.executemany("INSERT OR IGNORE INTO seen VALUES (?)", [[one] for one in keys])
        if record.get("session"):
            session = _hash(harness, str(record["session"]))
            self._db.execute("INSERT OR IGNORE INTO sessions VALUES (?, ?)", [session, family or LIVE])
        at = moment(record.get("at"))
        if not past and record.get("event") == "prompt" and at:
            row = [_prompt_key(record), at.timestamp()]
            self._db.execute("INSERT OR IGNORE INTO prompts VALUES (?, ?)", row)

    def knows(self, *keys: str) -> bool:
        """Whether an event is known by any of its keys."""
        return any(self._db.execute("SELECT 1 FROM seen WHERE key = ?", [key]).fetchone() for key in keys)

    def heard(self, record: Mapping[str, Any], at: datetime) -> bool:
        """Whether a hook captured this prompt. It has no id there, so each captured one answers for one told here."""
        span = [_prompt_key(record), at.timestamp() - _SAME_PROMPT, at.timestamp() + _SAME_PROMPT]
        query = "SELECT key, at FROM prompts WHERE key = ? AND at BETWEEN ? AND ? ORDER BY abs(at - ?) LIMIT 1"
        found = self._db.execute(query, [*span, at.timestamp()]).fetchone()
        if found:
            self._db.execute("DELETE FROM prompts WHERE key = ? AND at = ?", found)
        return found is not None

    def see(self, key: str) -> None:
        """Notes an event by a key alone."""
        self._db.execute("INSERT OR IGNORE INTO seen VALUES (?)", [key])

    def family(self, harness: str, session: str) -> str:
        """From what a session was first known: `live`, or the family of a reader; "" for a new one."""
        found = self._db.execute("SELECT family FROM sessions WHERE key = ?", [_hash(harness, session)]).fetchone()
        return str(found[0]) if found else ""

    def is_gone(self, harness: str, session: str, at: datetime) -> bool:
        """Whether a hook captured that time of the session, and the observations were deleted since."""
        query = "SELECT 1 FROM gone WHERE key LIKE ? AND ? BETWEEN first - ? AND last + ?"
        row = [f"%/{_hash(harness, session)}", at.timestamp(), _AROUND, _AROUND]
        return self._db.execute(query, row).fetchone() is not None


def event_key(family: str, harness: str, key: str) -> str:
    """What an event is known by, from the key that its reader gave it."""
    return _hash(family, harness, key)


def call_key(harness: str, identity: str) -> str:
    """What a tool call is known by, from whatever source it comes."""
    return _hash("call", harness, identity)


def _prompt_key(record: Mapping[str, Any]) -> str:
    text = " ".join(str(record.get("prompt", "")).split())
    return _hash("prompt", str(record.get("harness", "")), str(record.get("session", "")), text)


def _hash(*parts: str) -> str:
    return codec.short_hash("\0".join(parts), _DIGITS)


def _name(path: Path) -> str:
    """A path as SQLite takes it: names of files may hold bytes that are no text."""
    return str(path).encode("utf-8", "backslashreplace").decode()


def _opened(place: str) -> sqlite3.Connection:
    paths.make_private(str(Path(place).parent))
    try:
        return _connected(place)
    except sqlite3.DatabaseError as error:
        if isinstance(error, sqlite3.OperationalError):  # the disk or another process, not the content
            raise
        Path(place).unlink()
        return _connected(place)


def _copied(place: str) -> sqlite3.Connection:
    """What is remembered, in memory; nothing where there is nothing that can be used."""
    copy = sqlite3.connect(":memory:")
    if Path(place).is_file():
        with contextlib.suppress(sqlite3.DatabaseError), contextlib.closing(sqlite3.connect(place)) as source:
            source.backup(copy)
    return _prepared(copy)


def _connected(place: str) -> sqlite3.Connection:
    db = sqlite3.connect(place)
    try:
        Path(place).chmod(0o600)
        return _prepared(db)
    except BaseException:
        db.close()
        raise


def _prepared(db: sqlite3.Connection) -> sqlite3.Connection:
    """The database with our tables; those of another version are dropped, and made anew from the spool."""
    if db.execute("PRAGMA user_version").fetchone()[0] != _VERSION:
        for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
            db.execute(f"DROP TABLE {name}")
        db.executescript(f"{_SCHEMA} PRAGMA user_version = {_VERSION};")
    return db

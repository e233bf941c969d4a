"""Reading again what was analysed before: the range that an earlier run saw, or one segment of the spool.

The earlier observations that are still kept are fed first, as context: a session is understood from its beginning.
Nothing is remembered of such a reading: neither how far it went nor what it sighted.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from gitinstinct import paths
from gitinstinct.capture import reader
from gitinstinct.capture.spool import SUFFIX
from gitinstinct.errors import Found
from gitinstinct.observer.detector import Detector, kind
from gitinstinct.observer.events import Observation
from gitinstinct.observer.proposals import Collector, Proposal
from gitinstinct.observer.source import Source
from gitinstinct.observer.state import Cursor
from gitinstinct.observer.tally import Tally
from gitinstinct.store import homes, runs

if TYPE_CHECKING:
    from gitinstinct.capture.project import Project

_EVERYTHING = 1 << 62  # bytes


@dataclass(frozen=True, slots=True)
class Range:
    """Observations between two cursors. `name` is the run or segment; `gone` are the segments that are deleted."""

    name: str
    begin: Mapping[str, int]
    end: Mapping[str, int]
    gone: tuple[str, ...] = ()

    def holds(self, segment: str, offset: int) -> bool:
        """Whether an observation belongs to it."""
        return self.begin.get(segment, 0) <= offset < self.end.get(segment, 0)


@dataclass(slots=True)
class Again:
    """What a detector said about a range: how many observations there were, and what it proposes."""

    detector: Detector
    observations: int = 0
    proposals: list[Proposal] = field(default_factory=list)


def of_name(project: Project, name: str) -> Range:
    """The range of a run (its name, or an unambiguous beginning of it) or of a segment (`000001`, or its file).

    Raises:
        Found: there is neither, or nothing of it is kept any more.
    """
    segments = _segments(project)
    path = Path(name)
    here = os.path.realpath(path.parent) == os.path.realpath(paths.spool(project.id))
    spelled = (path.name if here else name, f"{name}{SUFFIX}")
    segment = next((one for one in spelled if one in segments), None)
    if segment is not None:
        names = list(segments)
        earlier = {one: segments[one] for one in names[: names.index(segment)]}
        return Range(segment, earlier, {segment: segments[segment]})
    found = _of_run(project, name)
    if found is None or found == name:
        raise Found(f"there is neither a run nor a segment {name}", "see: gitinstinct log, or status --json")
    if isinstance(found, str):  # a replay has read what it replays
        return of_name(project, found)
    begin, end, run = found
    read = {one: offset for one, offset in end.items() if offset > begin.get(one, 0)}
    gone = tuple(sorted(one for one in read if one not in segments))
    if read and len(gone) == len(read):
        raise Found(f"the observations of {run} are gone", "they are deleted 30 days after they were analysed")
    return Range(run, begin, read, gone)


def behind(project: Project, reached: Cursor) -> Range:
    """Everything behind a cursor."""
    return Range("new", reached, dict.fromkeys(_segments(project), _EVERYTHING))


def again(project: Project, within: Range, tally: Tally, detector: Detector) -> Again:
    """Feeds the detector with the observations of a range, and before them with those that are kept from earlier.

    Args:
        project: whose observations.
        within: the range.
        tally: an empty one, which the detector may look at while it grows.
        detector: a fresh one.

    Raises:
        DetectorFault: the detector could not answer.
    """
    made, collector, touched, foreign = Again(detector), Collector(), set[str](), dict[str, str]()
    for found in Source(project.id, homes.aliases(project.id), {}):
        if found.offset >= within.end.get(found.segment, within.begin.get(found.segment, 0)):
            continue
        observation = Observation.from_record(found.record, found.id)
        if "/" in found.segment:
            foreign[observation.session] = found.project
        is_new = within.holds(found.segment, found.offset)
        made.observations += is_new
        for sighting in detector.feed(observation, is_new=is_new):
            collector.add(tally, sighting)
            if is_new:
                touched.add(sighting.pattern.signature)
    for sighting in detector.finish():
        collector.add(tally, sighting)
        touched.add(sighting.pattern.signature)
    # What only the range's past showed was said by the runs that saw it.
    collector.keep_only(touched)
    sighted = Tally([record for record in tally.records() if record.pattern.signature in touched])
    made.proposals = collector.proposals(sighted, project.id, foreign)
    return made


def _segments(project: Project) -> dict[str, int]:
    """Segment, as in a cursor → its size in bytes, in the order of reading."""
    former = homes.aliases(project.id)
    found = {f"{old}/{segment.name}": segment.size for old in former for segment in reader.segments(old)}
    return found | {segment.name: segment.size for segment in reader.segments(project.id)}


def _of_run(project: Project, name: str) -> tuple[dict[str, int], dict[str, int], str] | str | None:
    """(cursor before, cursor after, full name) of a run, from the private records; of a replay what it replays."""
    store = homes.find(project)
    records = list(runs.records(store.repo)) if store is not None else []
    named = [record for record in records if str(record.get("run", "")).startswith(name)]
    if len({str(record["run"]) for record in named}) != 1:
        return None
    read = next((record for record in named if "replays" not in record), None)
    if read is None:
        return str(named[0]["replays"])
    family = kind(str(read.get("detector", "")))
    older = records[records.index(read) + 1 :]
    before = next((one for one in older if kind(str(one.get("detector", ""))) == family), {})
    return cursor(before), cursor(read), str(read["run"])


def cursor(record: runs.Record) -> dict[str, int]:
    """The cursor that a private record holds."""
    found = record.get("cursor")
    return {str(name): int(end) for name, end in found.items()} if isinstance(found, Mapping) else {}  # type: ignore[arg-type]

"""Projects as the spool knows them: by id, without anybody standing in their folder."""

from __future__ import annotations

from gitinstinct import paths
from gitinstinct.capture import project as projects
from gitinstinct.capture import reader
from gitinstinct.capture.project import Project
from gitinstinct.store import homes


def project(project_id: str) -> Project:
    """The project of an id, with its former id where its folder still is the same project."""
    if project_id == paths.GLOBAL:
        return Project(paths.GLOBAL, paths.GLOBAL)
    about = reader.about(project_id)
    root = about.get("root", "")
    if projects.known_id(root):
        found = projects.identify(root, {})
        if project_id in (found.id, found.former):
            return found
    return Project(project_id, about.get("name", ""), root, about.get("remote", ""))


def everywhere() -> list[Project]:
    """Every project that something was captured in; one that got another id is there once, under the new one."""
    found = [project(one) for one in reader.projects() if homes.current(one) == one]
    return list({one.id: one for one in found}.values())

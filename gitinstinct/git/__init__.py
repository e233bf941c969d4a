"""The one door to git: nothing else in the project starts git or imports GitPython.

`run` starts git, in a scrubbed environment and within limits. `repo` asks named questions of one repository, `blobs`
reads contents; `status`, `worktrees` and `locks` tell what a person is doing there. `objects` makes commits, `refs`
moves refs, `trailers` writes and reads messages, `config` and `identity` say how and who. `url` says what may be a
remote's address, `remote` fetches and pushes, by `talk` and within `limits`; `unreachable` explains what went wrong.
"""

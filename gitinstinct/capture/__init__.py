"""The hot path: one event of an agent, redacted and appended to the spool.

It runs at every tool call, so start-up time is its whole cost. What a quiet event loads imports neither `re`, `json`,
`typing`, `dataclasses` nor `pathlib`; `os` stands in for `pathlib`, plain classes for dataclasses. Third-party code is
never imported here. `reader` is the other side of the spool and free of these limits.
"""

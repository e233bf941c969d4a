"""Whether an instinct helps: measured against sessions that went without it.

While an instinct is on probation, one session in three that would get it does not. What followed is told from the
observations, one value a session, and an anytime-valid test decides. The hook uses `switch`, `assignment`, `log` and
`verdicts`, which import the standard library alone. The rules (`grammar`, `conduct`, `signals`, `process`, `decision`)
are pure. Who got what and what came of it is only ever added to; every verdict can be made again from that.
"""

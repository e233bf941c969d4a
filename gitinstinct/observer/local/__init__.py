"""The detector that needs no model: corrections, error → fix, workflows, preferences.

`shell` and `commands` read command lines, `failures` error texts, `opposition` what people say. `errors`, `workflows`,
`preferences` and `corrections` are the four families, one small state machine each; `detector` feeds them. `programs`,
`languages` and `smalltalk` hold words only. Nothing here counts: that is the tally's.
"""

from gitinstinct.observer.local.detector import LocalDetector

__all__ = ["LocalDetector"]

"""Settling what a merge could not decide: who says what, since when, with which evidence; and the person's choice.

A conflict is data in a file, so everything here is a look at history (`lineage`, `dispute`), a choice (`choosing`) and
one commit (`settling`). What plain git left behind without our driver, markers in a file (`cases`) or stages in the
index (`unfinished`), is merged anew by the one merge first.
"""

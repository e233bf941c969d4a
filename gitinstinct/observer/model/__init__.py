"""Detectors that ask a model: what it is shown, what is believed of its answer, and what it may cost.

`detector` collects a portion of events and asks; `showing` and `prompt` make the question, `schema` and `validate` take
the answer apart, `answers` keeps it until it is committed, `spending` counts and stops. `anthropic` and `claude_cli`
are the two ways to a model. Nothing here is loaded unless a person has chosen such a detector.
"""

"""The daemon: for those who want learning to go on at an interval. Nobody needs it, and everything works without.

`plan` decides what to do next and is pure; `loop` does it, in a `World`; `look` asks the gates of every project;
`system` is the world that there is, with its signals and files; `place` is what others see of the daemon, `control`
how they start and stop it. Each analysis is a process of its own: its memory is given back, and where it crashes
nothing else does.
"""

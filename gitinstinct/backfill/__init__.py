"""The past: sessions that were there before the hooks, read once and told to the observer like new ones.

`sources` finds files that agents and other observers have left, `readers` turn their lines into events, `recording`
puts those through the hook's own redaction into the project's spool, `memory` knows how far each file was read and
which events are there already. What a live capture has kept is never told again.
"""

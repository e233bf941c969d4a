"""The person's hand: what they teach, confirm, contradict, correct and take back.

Each command is a decision on the store as it stands, `Desk` in, `Lesson` out, and lands as one commit of theirs. What
the commands say (`account`), what they write (`commands`, `learning`, `editing`, `undoing`) and how it lands (`desk`)
are apart; nothing here prints or asks.
"""

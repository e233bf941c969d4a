"""What git calls for an instinct that both sides changed: `python -I -S hooks/merge.py BASE OURS THEIRS SIZE PATH`.

As thin as `hook.py`, and for the same reason. Whatever goes wrong here must not look like a merge: the interpreter's
own exit code for an error is 1, which git takes for a conflict with our side in the file and without markers. So every
failure has a code of its own, and the command line in git's config then lets `git merge-file` put its markers.
"""

import gc
import os
import sys

gc.disable()

try:
    folder = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    sys.path.append(folder if os.path.isdir(os.path.join(folder, "gitinstinct")) else os.path.dirname(folder))

    from gitinstinct.driver import main

    code = main(sys.argv[1:])
except BaseException as error:
    sys.stderr.write(f"gitinstinct: {type(error).__name__}: {error}\n")
    code = 3
sys.stderr.flush()
os._exit(code)

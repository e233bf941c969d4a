"""What agents call: `python -I -S hooks/hook.py HARNESS [EVENT]`, one payload on stdin.

As thin as can be, since the script itself is compiled anew at every call: it finds the package beside it, in a checkout
or in an installed wheel, behind the standard library, and hands over. Whatever happens, the agent sees a success.
"""

import gc
import os
import sys

# Nothing here lives long enough to be worth collecting.
gc.disable()

try:
    folder = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    sys.path.append(folder if os.path.isdir(os.path.join(folder, "gitinstinct")) else os.path.dirname(folder))

    from gitinstinct.hook import main

    main(sys.argv[1:])
except BaseException:
    os._exit(0)

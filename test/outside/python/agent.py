"""An agent that works under leases and prints when it worked, one JSON line each: url, name, then a turn a line on stdin."""

import json
import sys
import time

from avouch import Avouch, LeaseLost, LeaseNotGranted, lease

url, name = sys.argv[1:]
client = Avouch(url)


def say(**line):
    print(json.dumps({**line, "at": time.time() * 1000}), flush=True)


for line in sys.stdin:
    turn = json.loads(line)
    work = {"agent": name, "key": turn["key"]}
    try:
        with lease(client, turn["key"], name, ttl=30, wait_seconds=turn["waitSeconds"]) as held:
            say(**work, what="begun", fence=held.fence)
            try:
                ends = time.monotonic() + turn["workSeconds"]
                while time.monotonic() < ends:
                    held.check()
                    time.sleep(0.02)
            finally:
                say(**work, what="ended", fence=held.fence)
    except LeaseLost:
        say(**work, what="lost")
    except LeaseNotGranted as error:
        say(**work, what="refused", code=error.code)
    else:
        say(**work, what="done")

"""Runs a command on a terminal of its own and answers its questions, as a person would.

    {"command": [...], "environment": {...}, "directory"?, "meanwhile"?,
     "answers": [["the end of the question", "what to type"]], "copied"?}
    ->  {"screen": text, "exit": status}       a question that does not come within ten minutes: status -1
"copied" is a regular expression: what its group matches on the screen, last, is typed in place of {copied} in an answer.
"meanwhile" is a shell script that runs in the directory while the last question is open.
Standard library only.
"""

import json
import os
import pty
import re
import select
import signal
import subprocess
import sys
import time

PATIENCE_SECONDS = 600


def run(request):
    child, terminal = pty.fork()
    if child == 0:
        os.chdir(request.get("directory", "."))
        command = request["command"]
        os.execvpe(command[0], command, {**os.environ, **request.get("environment", {})})

    screen, seen = b"", 0
    answers = [(question.encode(), answer.encode() + b"\n") for question, answer in request["answers"]]
    deadline = time.monotonic() + PATIENCE_SECONDS
    while True:
        ready, _, _ = select.select([terminal], [], [], max(0, deadline - time.monotonic()))
        if not ready:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            return screen, -1
        try:
            more = os.read(terminal, 4096)
        except OSError:  # Linux reports this when the last writer has gone
            more = b""
        if not more:
            break
        screen += more
        if answers and answers[0][0] in screen[seen:]:
            seen = len(screen)
            if len(answers) == 1 and request.get("meanwhile"):
                subprocess.run(
                    ["sh", "-ec", request["meanwhile"]], cwd=request.get("directory", "."), check=True,
                    stdin=subprocess.DEVNULL, stdout=sys.stderr, timeout=PATIENCE_SECONDS)
            answer = answers.pop(0)[1]
            if request.get("copied") and b"{copied}" in answer:
                answer = answer.replace(b"{copied}", re.findall(request["copied"].encode(), screen, re.MULTILINE)[-1])
            os.write(terminal, answer)
    _, status = os.waitpid(child, 0)
    return screen, os.waitstatus_to_exitcode(status)


if __name__ == "__main__":
    screen, status = run(json.load(sys.stdin))
    text = screen.decode(errors="replace").replace("\r\n", "\n")
    json.dump({"screen": text, "exit": status}, sys.stdout)

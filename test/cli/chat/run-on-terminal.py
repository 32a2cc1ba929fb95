"""Runs a command on a terminal of its own: run-on-terminal.py COLUMNS ROWS COMMAND...

Reads lines of JSON: {"type": "text"} is typed, {"resize": [columns, rows]} changes the size. Prints what the terminal gets, and ends
with the exit code of the command.
"""
import fcntl
import json
import os
import pty
import select
import struct
import sys
import termios


def resize(fd, columns, rows):
    fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))


def main():
    columns, rows, command = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:]
    pid, fd = pty.fork()
    if pid == 0:
        resize(0, columns, rows)
        os.execvp(command[0], command)
    pending = b""
    inputs = [fd, 0]
    while True:
        ready, _, _ = select.select(inputs, [], [])
        if fd in ready:
            try:
                data = os.read(fd, 65536)
            except OSError:
                data = b""
            if not data:
                break
            os.write(1, data)
        if 0 in ready:
            data = os.read(0, 65536)
            if not data:
                inputs.remove(0)
            pending += data
            *lines, pending = pending.split(b"\n")
            for line in lines:
                given = json.loads(line)
                if "type" in given:
                    os.write(fd, given["type"].encode())
                else:
                    resize(fd, *given["resize"])
    _, status = os.waitpid(pid, 0)
    sys.exit(os.waitstatus_to_exitcode(status) if os.WIFEXITED(status) else 128 + os.WTERMSIG(status))


main()

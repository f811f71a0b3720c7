"""A client of the scoreboard with the Lock of redis-py.

Arguments are its number, the port of the witness, the lease in ms, the name of the contestant, and the address. It
counts under the lock until the witness ends.
"""

import os
import socket
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))

import redis

if sys.argv[1] == "--version":
    print(redis.__version__)
    sys.exit(0)

number, port, lease, _, uri = sys.argv[1:6]
link = socket.create_connection(("127.0.0.1", int(port)))
link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
answers = link.makefile("r", encoding="ascii")


def send(line):
    link.sendall((line + "\n").encode("ascii"))
    answer = answers.readline()
    if not answer:
        sys.exit(1)
    return answer.strip()


def acquire():
    while True:
        try:
            lock = client.lock("counter", timeout=int(lease) / 1000)
            if lock.acquire():
                return lock
        except redis.exceptions.RedisError:
            pass
        send("failed")
        time.sleep(0.05)


client = redis.Redis.from_url(uri, socket_timeout=int(lease) / 1000)
send("client " + number)
while True:
    send("ask")
    held = acquire()
    send("got -1")
    value = int(send("read"))
    send("work")
    send("write " + str(value + 1))
    send("release")
    try:
        held.release()
    except redis.exceptions.RedisError:
        # Only now does the library say that the lock was lost.
        pass
    time.sleep(0.01)

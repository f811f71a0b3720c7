"""Runs the Lock of redis-py. Reads requests such as "acquire KEY TTL" and replies "yes" or "no" to each."""
import sys

import redis
from redis.exceptions import LockError

client = redis.Redis.from_url(sys.argv[1])
held = {}


def acquire(key, ttl):
    lock = client.lock(key, timeout=int(ttl) / 1000)
    if not lock.acquire(blocking=False):
        return False
    held[key] = lock
    return True


def extend(key, ttl):
    return held[key].extend(int(ttl) / 1000, replace_ttl=True)


def release(key):
    held.pop(key).release()
    return True


for line in sys.stdin:
    action, *words = line.split()
    try:
        reply = {"acquire": acquire, "extend": extend, "release": release}[action](*words)
    except LockError:
        reply = False
    print("yes" if reply else "no", flush=True)

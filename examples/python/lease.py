"""A lease: its validity, its renewal, its repair and its release; section A lease of the protocol."""

import asyncio
import contextlib
import random
import time

from keys import keys_of
from nodes import GRANTED, NO_VOTE, RUN

DRIFT_SHARE, RESOLUTION = 0.01, 0.002
LISTED_PERIOD, FENCE_MILLIS = 600, 1_800_000


def millis(seconds):
    return max(1, int(seconds * 1000))


class Moment:
    """A reading of both clocks. The greater difference counts: a machine may sleep, and a wall clock may be set."""

    def __init__(self):
        self.monotonic, self.wall = time.monotonic(), time.time()

    def passed(self):
        return max(0.0, time.monotonic() - self.monotonic, time.time() - self.wall)


class Lease:
    """A lock for a limited time, until it is released or lost. Both are final."""

    def __init__(self, client, key, owner, token, ttl, began, claims):
        self.client, self.key, self.owner, self.token, self.ttl = client, key, owner, token, ttl
        self.state, self.lost = "held", asyncio.Event()
        self._claims, self._margin, self._timer = claims, min(1.0, ttl / 20), None
        self._began, self._length, self._listed = began, self._validity(ttl), time.monotonic()
        self._sent = {node: token for node in client.nodes}  # The greatest fence, which a release names.

    def _validity(self, ttl):
        return ttl - ttl * self.client.drift - RESOLUTION

    def begin(self, renew):
        """Starts the timer, if the validity is above the margin."""
        if self._length - self._began.passed() <= self._margin:
            return False
        self._timer = self.client.background(self._watch(renew))
        return True

    def remaining(self):
        """Returns the seconds for which the lease may be relied on; 0 if it is not held."""
        left = self._length - self._began.passed()
        if self.state == "held" and left <= self._margin:
            self._lose()
        return left if self.state == "held" else 0.0

    def _lose(self):
        if self._end("lost"):
            self.lost.set()
            self.client.background(self._release("0"))

    def _end(self, state):
        if self.state != "held":
            return False
        self.state = state
        if self._timer is not None and self._timer is not asyncio.current_task():
            self._timer.cancel()
        return True

    async def _watch(self, renew):
        """Extends the lease at each third, and declares its loss in time."""
        pause, failures = self.ttl / 3, 0
        while (left := self.remaining() - self._margin) > 0:
            await asyncio.sleep(min(pause, left) if renew else left)
            self.client.describe()
            self._keep_listed()
            if renew and self.remaining() > 0:
                confirmed = await self.extend()
                failures = 0 if confirmed else min(failures + 1, 10)
                pause = self.ttl / 3 if confirmed else min(self.ttl / 6, random.uniform(0.001, 0.02 * 2**failures))

    def _keep_listed(self):
        """Section Keys: a lock is listed as long as its fence exists."""
        if time.monotonic() - self._listed >= LISTED_PERIOD:
            self._listed = time.monotonic()
            self.client.ask(lambda node: node.command("PEXPIRE", keys_of(self.key)[1], FENCE_MILLIS))

    async def extend(self, ttl=None):
        """Extends the lease to at least the ttl from now. False: not confirmed, perhaps lost."""
        ttl = ttl or self.ttl
        if ttl > self.client.longest_lease:
            raise ValueError(f"ttl {ttl} s is above the longest lease of {self.client.longest_lease} s")
        if self.remaining() <= 0:
            return False
        began, keys = Moment(), keys_of(self.key)[:3]
        calls = self.client.ask(lambda node: node.call("extend", keys, self.owner, millis(ttl)))
        votes = await self.client.votes(calls, max(min(0.5, ttl / 3), ttl / 30))
        if self.client.is_denied(votes):
            self._lose()
        if self.client.verdict(votes) != "granted" or self.remaining() <= 0:
            return False
        if self._validity(ttl) - began.passed() > self._length - self._began.passed():
            self._began, self._length = began, self._validity(ttl)
        for node, one in zip(self.client.nodes, calls):
            self.client.background(self._repair(node, one, ttl, began))
        return True

    async def _repair(self, node, extension, ttl, began):
        """Section Repair: a node has lost the key, which a majority has."""
        vote = await extension
        for _ in range(3):
            if vote[0] == "refused" and vote[1] == "0":
                accepted = int(vote[2])
            elif vote[0] == "stale":
                accepted = int(vote[1])
            else:
                return
            fence = max(accepted, self._sent[node]) + 1
            self._sent[node] = fence = fence + fence % 2
            left = ttl - began.passed()
            if self.remaining() <= 0 or left < 0.001:
                return
            keys = keys_of(self.key)[:3]
            vote = await node.call("repair", keys, self.owner, millis(left), fence, RUN, node.config)

    async def release(self):
        """Releases the lock. Returns 'released', 'not held' or 'unknown'."""
        self.remaining()
        if not self._end("released"):
            return "not held"
        votes = await asyncio.shield(self.client.background(self._release("1")))
        if self.client.is_denied(votes):
            return "not held"
        return "released" if self.client.verdict(votes) == "granted" else "unknown"

    def withdraw(self):
        """Releases an attempt that was not granted."""
        self._end("released")
        self.client.background(self._release("0"))

    async def _release(self, serves_next):
        def send(node):
            return node.call("release", keys_of(self.key), self.owner, self._sent[node], "", "", "0", serves_next, RUN)

        answers = self.client.ask(send)
        for node, answer, claim in zip(self.client.nodes, answers, self._claims):
            self.client.background(self._sweep(node, send, answer, claim))
        return await self.client.votes(answers, 0.5)

    async def _sweep(self, node, send, answer, claim):
        """Repeats the release until the node acknowledges it, and after a claim that was granted later."""
        vote, end, pause = await answer, time.monotonic() + max(60.0, 2 * self.ttl), 0.05
        is_late = not claim.done()
        while vote[0] in NO_VOTE and time.monotonic() < end:
            await asyncio.sleep(random.uniform(0.001, pause))
            pause = min(1.0, 2 * pause)
            vote = await send(node)
        if is_late and (await claim)[0] in GRANTED:
            await send(node)

    async def __aenter__(self):
        return self

    async def __aexit__(self, *_):
        with contextlib.suppress(ConnectionError):
            await self.release()

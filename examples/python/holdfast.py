"""Locks of Holdfast in Python, without other packages: a lease with a fencing token, on one server or a majority.

    async with await Client.connect(["127.0.0.1:6379"]) as client:
        async with await client.acquire("order:42") as lease:
            ship(42, lease.token)

Written from docs/protocol.md; the comments name its sections. It polls, so it has no part in the wait queue.
"""

import asyncio
import os
import random
import secrets
import socket
import sys
import time
from pathlib import Path

from keys import key_of, keys_of
from lease import DRIFT_SHARE, Lease, Moment, millis
from nodes import GRANTED, NO_VOTE, RUN, Node

SCRIPTS = Path(os.environ.get("HOLDFAST_SCRIPTS", Path(__file__).resolve().parents[2] / "redis/protocol/1"))
GREATEST = 2**53 - 2


def scripts_in(folder):
    texts = {str(file.relative_to(folder))[:-len(".lua")]: file.read_text() for file in folder.rglob("*.lua")}
    if not texts:
        raise FileNotFoundError(f"no scripts in {folder}; HOLDFAST_SCRIPTS is the folder of a version of the protocol")
    return texts


class NotAcquired(Exception):
    """The wait is over; the message has the verdict and the votes of the last round."""


class Client:
    """One client of the nodes of a quorum. All clients must name the same number of nodes and longest lease."""

    @classmethod
    async def connect(cls, addresses, longest_lease=60.0, durable=None, drift=DRIFT_SHARE):
        client = cls(addresses, longest_lease, len(addresses) < 3 if durable is None else durable, drift)
        await asyncio.wait([asyncio.ensure_future(node.settled()) for node in client.nodes], timeout=2)
        return client

    def __init__(self, addresses, longest_lease, durable, drift):
        self.id = f"{secrets.randbits(40):x}"
        self.longest_lease, self.drift = longest_lease, drift
        config = f"{len(addresses)}/{millis(longest_lease)}"
        runs, scripts = {}, scripts_in(SCRIPTS)
        self.nodes = [Node(address, config, durable, runs, scripts) for address in addresses]
        for node in self.nodes:
            node.start(self.nodes, self.id, longest_lease)
        self.majority = len(self.nodes) // 2 + 1
        self._last = self._ahead = 0
        self._since, self._described = int(time.time() * 1000), None
        self._work = set()

    def background(self, coroutine):
        """Work that goes on whatever becomes of its caller."""
        task = asyncio.ensure_future(coroutine)
        self._work.add(task)
        task.add_done_callback(self._work.discard)
        return task

    def describe(self):
        """Says on the nodes who holds its locks, and which version of the protocol it speaks; section Names."""
        now = time.monotonic()
        if self._described is None or now - self._described > 60:
            self._described = now
            name = f"{Path(sys.argv[0]).name or 'python'}@{socket.gethostname()}"[:100]
            text = "\t".join((name, str(os.getpid()), str(self._since), "1"))
            self.ask(lambda node: node.command("SET", f"holdfast:client:{self.id}", text, "PX", 180_000))

    # Fences

    def _propose(self):
        fence = max(self._last + 1, int(time.time() * 1_000_000) - self._ahead)
        self._last = min(fence + fence % 2, GREATEST)
        return self._last

    def learn(self, votes):
        for vote in votes:
            if vote[0] in ("refused", "stale"):
                self._last = max(self._last, int(vote[2 if vote[0] == "refused" else 1]))
        if any(vote[0] == "ahead" for vote in votes):
            bounds = [int(v[1]) if v[0] == "ahead" else 0 if v[0] in NO_VOTE else GREATEST for v in votes]
            present = sorted(bounds, reverse=True)[self.majority - 1]
            if 0 < present < GREATEST:
                self._last = min(self._last, present)
                self._ahead = max(0, int(time.time() * 1_000_000) - present)

    # Rounds

    def is_decided(self, votes):
        granted = sum(vote is not None and vote[0] in GRANTED for vote in votes)
        missing = sum(vote is None for vote in votes)
        return granted >= self.majority or granted + missing < self.majority

    def ask(self, call):
        """Sends one call to all nodes at once. The calls go on whatever becomes of the caller."""
        return [self.background(call(node)) for node in self.nodes]

    async def votes(self, calls, limit):
        """Returns the votes when they decide, or after the limit."""
        end, pending = time.monotonic() + limit, set(calls)
        votes = [None] * len(calls)
        while pending and not self.is_decided(votes) and time.monotonic() < end:
            left = max(0.0, end - time.monotonic())
            _, pending = await asyncio.wait(pending, timeout=left, return_when=asyncio.FIRST_COMPLETED)
            votes = [one.result() if one.done() else None for one in calls]
        return [("none", "no answer in time") if vote is None else vote for vote in votes]

    def verdict(self, votes):
        count = lambda *words: sum(vote[0] in words for vote in votes)
        if count(*GRANTED) >= self.majority:
            return "granted"
        if count(*NO_VOTE) > len(votes) - self.majority:
            return "unreachable"
        return "stale" if count("refused") == 0 and count("stale", "ahead") > 0 else "refused"

    def is_denied(self, votes):
        """Too many nodes say that this owner does not hold the lock for a majority to be possible."""
        return sum(vote[0] == "refused" for vote in votes) > len(votes) - self.majority

    async def acquire(self, name, ttl=30.0, wait=30.0, renew=True):
        """Returns a lease. Raises NotAcquired when the wait is over; zero: there is one attempt."""
        if not 0.010 <= ttl <= self.longest_lease:
            raise ValueError(f"ttl {ttl} s is not between 10 ms and the longest lease of {self.longest_lease} s")
        key, start, attempts, was_stale = key_of(name), Moment(), 0, False
        while True:
            attempts += 1
            lease, verdict, votes = await self._attempt(key, ttl, renew)
            if lease is not None:
                return lease
            left = wait - start.passed()
            if left <= 0:
                raise NotAcquired(f"{name}: {verdict}; " + "; ".join(" ".join(vote) for vote in votes))
            at_once = verdict == "stale" and not was_stale
            was_stale |= at_once
            await asyncio.sleep(0 if at_once else min(left, self._delay(attempts, votes)))

    async def _attempt(self, key, ttl, renew):
        owner, fence, began = f"{secrets.token_hex(20)}.{self.id}", self._propose(), Moment()
        calls = self.ask(lambda node: node.call(
            "acquire", keys_of(key), owner, millis(ttl), fence, fence, RUN, node.config))
        lease = Lease(self, key, owner, fence, ttl, began, calls)
        try:
            votes = await self.votes(calls, min(0.5, ttl / 3))
        except BaseException:
            lease.withdraw()
            raise
        self.learn(votes)
        verdict = self.verdict(votes)
        if verdict == "granted" and lease.begin(renew):
            return lease, verdict, votes
        lease.withdraw()
        return None, "refused" if verdict == "granted" else verdict, votes

    def _delay(self, attempts, votes):
        delay = random.uniform(0.001, min(0.4, 0.02 * 2 ** min(attempts - 1, 10)))
        lefts = sorted(int(v[1]) if v[0] == "refused" else 0 for v in votes if v[0] not in NO_VOTE)
        free_in = lefts[self.majority - 1] if len(lefts) >= self.majority else 0
        return min(delay, (free_in + 1) / 1000) if free_in > 0 else delay

    async def close(self):
        work = [task for task in self._work if not task.done()]
        if work:
            await asyncio.wait(work, timeout=2)
        for task in list(self._work):
            task.cancel()
        for node in self.nodes:
            node.close()

    async def __aenter__(self):
        return self

    async def __aexit__(self, *_):
        await self.close()

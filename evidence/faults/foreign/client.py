"""A client process of the fault suite in Python, with the arguments, input and reports of ClientProcess.java."""

import asyncio
import random
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "examples/python"))
from holdfast import Client, NotAcquired  # noqa: E402

WAIT, POLL = 2.0, 0.005
ONE_LONG_STAY_IN, LONG_STAY = 8, 4.0


class Process:
    def __init__(self, number, seed, threads, lease, witness, stay, locks, addresses):
        self.name, self.seed, self.threads = f"client-{number}", int(seed), int(threads)
        self.own, self.lease = f"fault:own:{number}", int(lease) / 1000
        self.witness, self.locks, self.addresses = witness, int(locks), addresses.split(",")
        self.longest_stay, self.holding, self.stopped = int(stay) / 1000, False, False

    async def run(self):
        self.client = await Client.connect(self.addresses, self.lease, durable=False)
        visitors = [self.visit(f"{self.name}/{i}", self.contend, random.Random(self.seed * 31 + i))
                    for i in range(self.threads)]
        visitors += [self.visit(f"{self.name}/{lock}", self.hold, lock) for lock in (self.own, "fault:contended")]
        running = asyncio.gather(*visitors)
        print(flush=True)
        stdin = asyncio.StreamReader()
        await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(stdin), sys.stdin)
        while command := await stdin.read(1):
            self.holding = command == b"h"
        self.holding, self.stopped = False, True
        await running
        await self.client.close()

    async def visit(self, name, visitor, what):
        link = await asyncio.open_connection("127.0.0.1", int(self.witness))
        while not self.stopped:
            try:
                await visitor(name, link, what)
            except NotAcquired:
                pass

    async def contend(self, name, link, chance):
        async with await self.client.acquire(f"fault:{chance.randrange(self.locks)}", self.lease, WAIT) as lease:
            stays = self.longest_stay > 0 and chance.randrange(ONE_LONG_STAY_IN) == 0
            end = time.monotonic() + (LONG_STAY if stays else chance.random() * self.longest_stay)
            await self.stay(lease, name, link, lambda: time.monotonic() > end)

    async def hold(self, name, link, lock):
        if not self.holding:
            await asyncio.sleep(POLL)
            return
        async with await self.client.acquire(lock, self.lease, WAIT) as lease:
            await self.stay(lease, name, link, lambda: not self.holding)

    async def stay(self, lease, name, link, is_over):
        """Leaves when the time is over or when the lease is lost, whichever comes first."""
        until = valid_until(lease)
        await report(link, f"enter {lease.key} {name} {lease.token} exclusive {until}")
        while not is_over() and lease.remaining() > 0:
            until = max(until, valid_until(lease))
            await asyncio.sleep(POLL)
        if lease.remaining() > 0:
            await report(link, f"leave {lease.key} {name} 0 live {2**63 - 1}")
        else:
            overrun = max(0, time.monotonic_ns() - until) // 1_000_000
            await report(link, f"leave {lease.key} {name} {overrun} EXPIRED {until}")


def valid_until(lease):
    return time.monotonic_ns() + int(lease.remaining() * 1e9)


async def report(link, line):
    link[1].write(line.encode() + b"\n")
    if not await link[0].read(1):
        raise ConnectionError("the witness has ended")


asyncio.run(Process(*sys.argv[1:]).run())

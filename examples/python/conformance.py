"""Drives the client by lines of JSON, for the conformance kit; evidence/interop/README.md describes them."""

import asyncio
import json
import sys
import time

from holdfast import Client, NotAcquired


def until(lease):
    return time.monotonic_ns() + int(lease.remaining() * 1e9)


class Driver:
    def __init__(self):
        self.client, self.leases = None, {}

    async def connect(self, nodes, longestLease, quarantine):
        self.client = await Client.connect(nodes, longestLease / 1000, durable=not quarantine)
        return {"endsQuarantines": True}

    async def acquire(self, lock, ttl, wait):
        try:
            lease = await self.client.acquire(lock, ttl / 1000, wait / 1000, renew=False)
        except NotAcquired as reason:
            return {"refused": str(reason)}
        self.leases[len(self.leases) + 1] = lease
        return {"lease": len(self.leases), "token": lease.token, "until": until(lease)}

    async def extend(self, lease, ttl):
        confirmed = await self.leases[lease].extend(ttl / 1000)
        return {"extended": confirmed, "until": until(self.leases[lease])}

    async def state(self, lease):
        return {"held": self.leases[lease].remaining() > 0}

    async def release(self, lease):
        return {"released": await self.leases[lease].release() == "released"}


async def main():
    driver, loop = Driver(), asyncio.get_running_loop()
    while line := await loop.run_in_executor(None, sys.stdin.readline):
        request = json.loads(line)
        try:
            reply = await getattr(driver, request.pop("do"))(**request)
        except Exception as failure:
            reply = {"error": f"{type(failure).__name__}: {failure}"}
        print(json.dumps(reply), flush=True)
    if driver.client is not None:
        await driver.client.close()


asyncio.run(main())

package io.holdfast.cli;

import io.holdfast.servers.RedisServers;
import java.util.stream.IntStream;

/**
 * The keys of a lock on the servers. A command ends when a majority has replied, so another server may differ for a
 * while.
 */
record LockKeys(RedisServers servers, String name) {

    /** Returns {@code true} if a majority of the servers has the lock, so that no one else can acquire it. */
    boolean isHeld() {
        return withKey(name).count() > servers.count() / 2;
    }

    /** Returns {@code true} if a server has the note of the holder. */
    boolean hasNote() {
        return withKey("{" + name + "}:holdfast:note").findAny().isPresent();
    }

    /** Returns {@code true} if exactly one waiter is in the wait queue of the first server. */
    boolean hasOneWaiter() {
        return waiters() == 1;
    }

    /** Returns the number of waiters in the wait queue of the first server. */
    long waiters() {
        return (Long) servers.get(0).exec("ZCARD", "{" + name + "}:holdfast:queue");
    }

    /** Returns the servers that have a key, by their index. */
    IntStream withKey(String key) {
        return IntStream.range(0, servers.count())
                .filter(server -> servers.get(server).exec("EXISTS", key).equals(1L));
    }
}

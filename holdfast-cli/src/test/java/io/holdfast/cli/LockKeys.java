package io.holdfast.cli;

import io.holdfast.servers.RedisServers;
import java.util.stream.IntStream;

/** The keys of a lock on the servers. A command ends when a majority has replied, so another server may differ for a while. */
record LockKeys(RedisServers servers, String name) {

    /** Returns {@code true} if a majority of the servers has the lock, so that no one else can acquire it. */
    boolean isHeld() {
        return withKey(name).count() > servers.count() / 2;
    }

    /** Returns {@code true} if a server has the note of the holder. */
    boolean hasNote() {
        return withKey("{" + name + "}:holdfast:note").findAny().isPresent();
    }

    /** Returns the servers that have a key, by their index. */
    IntStream withKey(String key) {
        return IntStream.range(0, servers.count())
                .filter(server -> servers.get(server).exec("EXISTS", key).equals(1L));
    }
}

package io.holdfast.lettuce;

import io.holdfast.redis.RedisPort;
import io.holdfast.redis.RedisSession;

/** Commands go to the connection of the moment, or fail at once. */
final class LettucePort implements RedisPort {

    private final Supervisor supervisor;

    LettucePort(Supervisor supervisor) {
        this.supervisor = supervisor;
    }

    @Override
    public String name() {
        return supervisor.name();
    }

    @Override
    public RedisSession session() {
        return supervisor.session();
    }

    @Override
    public void close() {
        supervisor.close();
    }
}

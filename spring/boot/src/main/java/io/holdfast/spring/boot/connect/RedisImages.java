package io.holdfast.spring.boot.connect;

import java.util.List;

/** The images whose containers are nodes: those that Boot considers servers of Redis, and Valkey. */
final class RedisImages {

    static final List<String> NAMES =
            List.of("redis", "valkey/valkey", "redis/redis-stack", "redis/redis-stack-server");

    private RedisImages() {}
}

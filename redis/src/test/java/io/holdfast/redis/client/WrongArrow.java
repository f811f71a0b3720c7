package io.holdfast.redis.client;

import io.holdfast.redis.keys.Keys;
import io.holdfast.redis.keys.ReplyParser;
import java.time.Duration;

/**
 * A class that violates the order of the packages: {@code client} must not use {@code keys}, which uses {@code client}.
 */
public final class WrongArrow {

    private WrongArrow() {}

    static String keyOf(String resource) {
        return Keys.of(resource).lock();
    }

    static Duration timeLeft(RedisReply reply) {
        return ReplyParser.timeLeft(RedisReplies.number(reply));
    }
}

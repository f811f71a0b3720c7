package io.holdfast.redis.client;

import io.holdfast.time.Moment;

/**
 * The time without a connection to a server.
 *
 * @param since when the last connection ended, or the first one was asked for
 * @param cause one line for the user: why there is none now
 */
public record Outage(Moment since, String cause) {}

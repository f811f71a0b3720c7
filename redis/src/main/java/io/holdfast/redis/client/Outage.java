package io.holdfast.redis.client;

import io.holdfast.time.Moment;

/**
 * A period without a connection to a server.
 *
 * @param since when the last connection ended, or the first one was requested
 * @param cause why there is no connection now; one line for the user
 */
public record Outage(Moment since, String cause) {}

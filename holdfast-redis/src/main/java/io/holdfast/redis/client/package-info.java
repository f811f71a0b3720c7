/** The port that a Redis client implements, and what its implementations share: replies, pending commands, addresses, errors. */
@NullMarked
package io.holdfast.redis.client;

import org.jspecify.annotations.NullMarked;

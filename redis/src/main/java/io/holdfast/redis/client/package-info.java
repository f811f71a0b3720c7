/**
 * The interfaces that a Redis client adapter implements, and the code that adapters share: replies, addresses, errors.
 */
@NullMarked
package io.holdfast.redis.client;

import org.jspecify.annotations.NullMarked;

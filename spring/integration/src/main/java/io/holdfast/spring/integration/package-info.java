/**
 * Locks for Spring Integration: {@link io.holdfast.spring.integration.HoldfastLockRegistry} takes the place of its
 * {@code RedisLockRegistry}.
 */
@NullMarked
package io.holdfast.spring.integration;

import org.jspecify.annotations.NullMarked;

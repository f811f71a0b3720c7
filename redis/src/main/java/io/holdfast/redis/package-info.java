/**
 * Nodes on Redis and Valkey servers: the entry point for client adapters. Applications use
 * {@code io.holdfast.Holdfast}.
 */
@NullMarked
package io.holdfast.redis;

import org.jspecify.annotations.NullMarked;

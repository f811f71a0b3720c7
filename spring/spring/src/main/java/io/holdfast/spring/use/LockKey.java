package io.holdfast.spring.use;

import io.holdfast.Holdfast;

/**
 * A lock of one client. Two applications in one JVM may have different nodes, on which locks of the same name do not
 * exclude each other.
 */
public record LockKey(Holdfast client, String resource) {}

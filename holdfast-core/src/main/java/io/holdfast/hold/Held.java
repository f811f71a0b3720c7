package io.holdfast.hold;

import io.holdfast.acquire.AcquireResult;

/** The lock is held, and its lease is renewed from the moment of the grant, also while no thread of the caller has received it. */
public record Held(Hold hold) implements AcquireResult {}

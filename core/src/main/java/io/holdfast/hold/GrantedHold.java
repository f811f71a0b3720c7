package io.holdfast.hold;

import io.holdfast.acquire.AcquireResult;

/**
 * The hold of a granted lock. It is renewed from the moment of the grant, even before a thread of the caller receives
 * it.
 */
public record GrantedHold(Hold hold) implements AcquireResult {}

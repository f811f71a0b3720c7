package io.holdfast.acquire;

/**
 * The local waiters and the local holder of one lock: a wait queue as long as there is a waiter, otherwise only the
 * claim of the holder. Very many locks may be held, nearly all of them without local waiters.
 */
sealed interface LocalLock permits HeldClaim, LocalWaitQueue {}

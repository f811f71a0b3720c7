package io.holdfast.lease;

/** With whom a lock is held. */
public enum LockMode {
    /** With nobody. */
    EXCLUSIVE,
    /** With others who hold it shared. */
    SHARED
}

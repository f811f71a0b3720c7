package io.holdfast.node;

/** With whom a lock is held. */
public enum Access {
    /** With nobody. */
    EXCLUSIVE,
    /** With others who hold it shared. */
    SHARED
}

package io.holdfast.lease;

/** The mode of a lock: exclusive or shared. */
public enum LockMode {
    /** One holder only. */
    EXCLUSIVE,
    /** Any number of shared holders, and no exclusive holder. */
    SHARED
}

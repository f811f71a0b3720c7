package io.holdfast.scoreboard.migration;

/** The locks that a process of a fleet uses. */
enum Version {
    /** The lock of the other library. */
    OLD,
    /** The lock of the other library and that of Holdfast. */
    BOTH,
    /** The lock of Holdfast. */
    NEW
}

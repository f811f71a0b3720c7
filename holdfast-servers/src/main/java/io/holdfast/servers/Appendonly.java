package io.holdfast.servers;

import java.util.Locale;

/** Whether a server writes its commands to a file, and how soon to the disk. */
public enum Appendonly {
    /** Nothing is written: a server that restarts is empty. */
    NONE,
    /** Written at once, flushed to the disk every second. */
    EVERYSEC,
    /** Flushed to the disk before the reply. */
    ALWAYS;

    boolean isOn() {
        return this != NONE;
    }

    /** The value of {@code appendfsync}. */
    String fsync() {
        return isOn() ? name().toLowerCase(Locale.ROOT) : "no";
    }
}

package io.holdfast.servers;

import java.util.Locale;

/** The persistence of a server: no append-only file, or one that is flushed to disk at a given rate. */
public enum Appendonly {
    /** No file is written, so a server that restarts is empty. */
    NONE,
    /** The file is written at once and flushed to disk every second. */
    EVERYSEC,
    /** The file is flushed to disk before each reply. */
    ALWAYS;

    boolean isOn() {
        return this != NONE;
    }

    /** Returns the value of {@code appendfsync}. */
    String fsync() {
        return isOn() ? name().toLowerCase(Locale.ROOT) : "no";
    }
}

package io.holdfast.node;

import java.util.Arrays;
import java.util.Optional;

/**
 * The limits of this process, such as its number of threads, that prevent a connection to a node. No node is at fault
 * then. Immutable.
 */
public enum ProcessLimit {

    /** The system creates no further thread. */
    THREADS("this process may create no further thread; raise `ulimit -u`, or TasksMax= of its systemd unit"),

    /** The system opens no further file or connection. */
    DESCRIPTORS("this process may open no further file; raise `ulimit -n`");

    private final String explanation;

    ProcessLimit(String explanation) {
        this.explanation = explanation;
    }

    /** Returns the limit that causes this failure; empty for a failure with another cause. */
    public static Optional<ProcessLimit> of(Throwable failure) {
        String message = String.valueOf(failure.getMessage());
        if (failure instanceof OutOfMemoryError && message.contains("native thread")) {
            return Optional.of(THREADS);
        }
        // The limit of the whole system has a longer message.
        return message.endsWith("Too many open files") ? Optional.of(DESCRIPTORS) : Optional.empty();
    }

    /** Returns {@code true} if the cause in a {@link Reply.Failed} contains the explanation of a limit. */
    public static boolean isIn(String cause) {
        return Arrays.stream(values()).anyMatch(limit -> cause.contains(limit.explanation));
    }

    /** Returns the explanation and the remedy, in one line. */
    public String explanation() {
        return explanation;
    }
}

package io.holdfast.spring.boot;

import org.jspecify.annotations.Nullable;

/** Thrown while an application starts if the client cannot be created from its configuration. */
final class ConfigurationException extends IllegalStateException {

    private static final long serialVersionUID = 1L;

    private final String action;

    /**
     * Creates a failure.
     *
     * @param message the value and the rule
     * @param action the remedy, in sentences
     */
    ConfigurationException(String message, String action, @Nullable Throwable cause) {
        super(message, cause);
        this.action = action;
    }

    /** Returns the remedy. */
    String action() {
        return action;
    }
}

package io.holdfast;

/** A lease can no longer be relied on, or not for as long as was asked. */
public final class LeaseLostException extends HoldfastException {

    private static final long serialVersionUID = 1L;

    LeaseLostException(String resource, String message) {
        super(resource, message);
    }
}

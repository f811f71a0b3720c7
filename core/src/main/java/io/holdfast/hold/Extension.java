package io.holdfast.hold;

/** The result of an extension. */
public enum Extension {
    /** A majority keeps the lock for the requested time. */
    CONFIRMED,
    /** Too few nodes confirmed the extension; the validity is unchanged, and another attempt may succeed. */
    UNCONFIRMED,
    /** So many nodes deny the lock to this owner that the hold is lost; or it had ended before. */
    ENDED
}

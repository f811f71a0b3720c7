package io.holdfast;

/** Where this package logs. */
final class Log {

    private Log() {}

    /** Looked up when there is something to say, which is seldom: to start the platform's logging takes longer than to take a lock. */
    static System.Logger get() {
        return System.getLogger(Holdfast.class.getName());
    }
}

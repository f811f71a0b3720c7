package io.holdfast.benchmarks.contestant;

/** A library that provides locks, or the minimum that any library has to do. Threads share it. */
public interface Contestant extends AutoCloseable {

    /**
     * Acquires the lock, waiting without a limit.
     *
     * @return an action that releases the lock
     */
    Runnable acquire(String resource) throws Exception;

    @Override
    void close();
}

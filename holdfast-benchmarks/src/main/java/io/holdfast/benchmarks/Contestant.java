package io.holdfast.benchmarks;

/** A library that takes locks, or what stands in for the least that any library has to do. Threads share it. */
interface Contestant extends AutoCloseable {

    /** How it is called in tables. */
    String name();

    /**
     * Takes the lock, waiting for it as long as it takes.
     *
     * @return gives it back
     */
    Runnable take(String resource) throws Exception;

    @Override
    void close();
}

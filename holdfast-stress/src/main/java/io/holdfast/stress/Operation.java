package io.holdfast.stress;

import java.util.concurrent.ExecutionException;

/** Something that a thread does with the library, within a few seconds, and after which it holds nothing. */
interface Operation {

    /** What the library documents may be thrown; the worker judges it. */
    void run(Scene scene) throws InterruptedException, ExecutionException;
}

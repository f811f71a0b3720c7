package io.holdfast.servers;

import java.util.Deque;
import java.util.concurrent.ConcurrentLinkedDeque;

/** Cleanups that run when the JVM ends, the newest first, for servers that were not closed. */
final class ProcessCleanup {

    private static final Deque<Runnable> CLEANUPS = new ConcurrentLinkedDeque<>();

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(ProcessCleanup::cleanUp, "holdfast-servers-cleanup"));
    }

    private ProcessCleanup() {}

    static void add(Runnable cleanup) {
        CLEANUPS.addFirst(cleanup);
    }

    static void remove(Runnable cleanup) {
        CLEANUPS.remove(cleanup);
    }

    private static void cleanUp() {
        for (Runnable cleanup : CLEANUPS) {
            try {
                cleanup.run();
            } catch (RuntimeException e) {
                System.getLogger(ProcessCleanup.class.getName()).log(System.Logger.Level.WARNING, "Cleanup failed", e);
            }
        }
    }
}

package io.holdfast.servers;

import java.util.Deque;
import java.util.concurrent.ConcurrentLinkedDeque;

/** What has to be cleaned up if the JVM ends before somebody has closed it; the youngest first. */
final class ProcessCleanup {

    private static final Deque<Runnable> CLEANUPS = new ConcurrentLinkedDeque<>();

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(ProcessCleanup::cleanUp, "holdfast-testkit-cleanup"));
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
                System.getLogger(ProcessCleanup.class.getName()).log(System.Logger.Level.WARNING, "Left behind", e);
            }
        }
    }
}

package io.holdfast.cli.process;

import io.holdfast.cli.output.HolderNote;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.List;

/**
 * A thread that loads what a run needs later, while the main thread parses the arguments and connects. Shortens the
 * start, since the two threads run on two processors.
 */
public final class WarmUp extends Thread {

    /** Classes that take long to initialize, and that the first connection needs. */
    private static final List<String> CLASSES =
            List.of("io.holdfast.redis.script.Script", "redis.clients.jedis.BuilderFactory");

    private WarmUp() {
        super("holdfast-warm-up");
        setDaemon(true);
    }

    /** Starts to load classes. Without a thread for that, each is loaded at its first use. */
    public static void begin() {
        try {
            new WarmUp().start();
        } catch (OutOfMemoryError noThread) {
            // The next thread fails with an explanation.
        }
    }

    @Override
    public void run() {
        linkStreams();
        new SecureRandom().nextInt();
        try {
            for (String name : CLASSES) {
                Class.forName(name);
            }
            MessageDigest.getInstance("SHA-256");
        } catch (ClassNotFoundException | NoSuchAlgorithmException e) {
            // The code that needs the class or the algorithm reports its absence.
        }
        HolderNote.of("", 0);
    }

    /** Makes Java link its first lambda expressions with and without variables, which takes it some milliseconds. */
    private static void linkStreams() {
        boolean unused = CLASSES.stream().map(String::length).toList().stream().allMatch(length -> length > 0);
    }
}

package io.holdfast.cli.process;

import io.holdfast.cli.output.HolderNote;
import io.holdfast.redis.script.Script;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;

/**
 * A thread that loads what a run needs later, while the main thread parses the arguments and connects. Shortens the
 * start, since the two threads run on two processors.
 */
public final class WarmUp extends Thread {

    /** Takes long to initialize, and the first reply of a server needs it. */
    private static final String REPLIES = "redis.clients.jedis.BuilderFactory";

    public WarmUp() {
        super("holdfast-warm-up");
        setDaemon(true);
    }

    @Override
    public void run() {
        Script.ACQUIRE.prepare();
        new SecureRandom().nextInt();
        try {
            Class.forName(REPLIES);
            MessageDigest.getInstance("SHA-256");
        } catch (ClassNotFoundException | NoSuchAlgorithmException e) {
            // The code that needs the class or the algorithm reports its absence.
        }
        HolderNote.of("", 0);
    }
}

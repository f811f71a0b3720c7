package io.holdfast.cli.process;

import io.holdfast.cli.output.HolderNote;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;

/** A thread that loads classes which a run needs later, while the main thread connects. Shortens the start. */
public final class WarmUp extends Thread {

    public WarmUp() {
        super("holdfast-warm-up");
        setDaemon(true);
    }

    @Override
    public void run() {
        new SecureRandom().nextInt();
        try {
            MessageDigest.getInstance("SHA-1");
            MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            // The code that needs the algorithm reports its absence.
        }
        HolderNote.of("", 0);
    }
}

package io.holdfast.cli.process;

import io.holdfast.cli.output.HolderNote;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;

/** What a run needs a while after its beginning, loaded by another core meanwhile: a start is what most users wait for. */
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
            // Whoever needs it says so.
        }
        HolderNote.of("");
    }
}

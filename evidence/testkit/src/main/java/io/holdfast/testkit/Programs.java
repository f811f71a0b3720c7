package io.holdfast.testkit;

import java.io.IOException;

/** Other programs of this machine. */
public final class Programs {

    private Programs() {}

    /** Runs a program, and returns {@code true} if it is installed and ends with 0. Its output is discarded. */
    public static boolean succeed(String... command) {
        try {
            return new ProcessBuilder(command)
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException notInstalled) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}

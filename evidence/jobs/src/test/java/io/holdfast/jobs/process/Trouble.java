package io.holdfast.jobs.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/**
 * The trouble that the next run of a job has: a file, which the run that deletes it takes. A command does the same in
 * its script.
 */
final class Trouble {

    /** The time of a run, in which the others begin to wait, and its start is recorded. */
    private static final Duration WORK = Duration.ofMillis(300);

    static final String THROW = "throw";
    static final String KILL = "kill";

    private Trouble() {}

    /** The body of a job: prints that it began, has its trouble, and prints that it ended. */
    static void run(Path directory, String job, int hour) throws IOException {
        print(directory, job, "began " + hour);
        LockSupport.parkNanos(WORK.toNanos());
        Path file = directory.resolve("trouble-" + job);
        if (Files.exists(file)) {
            String kind = Files.readString(file);
            if (Files.deleteIfExists(file)) {
                if (kind.equals(KILL)) {
                    Runtime.getRuntime().halt(1);
                }
                throw new IllegalStateException("the trouble of this hour");
            }
        }
        print(directory, job, "ended " + hour);
    }

    private static void print(Path directory, String job, String line) throws IOException {
        Files.writeString(
                directory.resolve("runs-" + job), line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }
}

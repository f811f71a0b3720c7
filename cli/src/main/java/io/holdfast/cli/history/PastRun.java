package io.holdfast.cli.history;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * One run of a command under a lock.
 *
 * @param fence the fencing token of the lease, which identifies the run
 * @param start when the command started, by the clock of its machine
 * @param waited how long it waited for the lock
 * @param process the process
 * @param outcome its end; empty while it runs, and forever if the process was killed
 */
public record PastRun(long fence, Instant start, Duration waited, Runner process, Optional<Outcome> outcome) {

    /**
     * The process that held the lock.
     *
     * @param user the name of the user
     * @param host the name of the machine
     * @param pid the process id that the user saw
     * @param program the program, without its arguments
     */
    public record Runner(String user, String host, long pid, String program) {

        private static final int LONGEST = 60;

        /** Creates a process; control characters become blanks, and long texts are cut. */
        public Runner {
            user = shortened(user);
            host = shortened(host);
            program = shortened(program);
        }

        static String shortened(String text) {
            String printable = text.replaceAll("\\p{Cc}", " ");
            return printable.length() > LONGEST ? printable.substring(0, LONGEST) + "..." : printable;
        }

        /** Describes the process as the note of a holder does, such as {@code root@web3, pid 4066 (backup.sh)}. */
        @Override
        public String toString() {
            return user + "@" + host + ", pid " + pid + " (" + program + ")";
        }
    }

    /**
     * The end of a run.
     *
     * @param end when the command ended, by the clock of its machine
     * @param code its exit code
     * @param lost whether the lock was lost before
     */
    public record Outcome(Instant end, int code, boolean lost) {}

    /** Returns this run under the fencing token of another of its locks. */
    public PastRun under(long other) {
        return new PastRun(other, start, waited, process, outcome);
    }

    /** Returns this run with its end. */
    public PastRun ended(Outcome end) {
        return new PastRun(fence, start, waited, process, Optional.of(end));
    }

    /** Returns whether the command succeeded under the lock. */
    public boolean isSuccess() {
        return outcome.filter(end -> end.code() == 0 && !end.lost()).isPresent();
    }
}

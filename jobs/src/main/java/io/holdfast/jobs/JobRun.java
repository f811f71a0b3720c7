package io.holdfast.jobs;

import io.holdfast.admin.LockStatus;
import io.holdfast.lease.ClientDescription;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Pattern;

/**
 * One run of a job under its lock. Immutable.
 *
 * @param fence the fencing token of the lease, which identifies the run
 * @param start when the run started, by the clock of its machine
 * @param waited how long it waited for the lock
 * @param runner the process, and what it ran
 * @param outcome its end; empty while it runs, and forever if the process was killed
 */
public record JobRun(long fence, Instant start, Duration waited, Runner runner, Optional<Outcome> outcome) {

    /**
     * A process that held the lock, and what it ran.
     *
     * @param user the name of the user
     * @param host the name of the machine
     * @param pid the process id that the user sees
     * @param program such as the file of a program without its arguments, or a class and its method
     * @param kind the kind of program, such as {@link #COMMAND}; at most 16 characters
     */
    public record Runner(String user, String host, long pid, String program, String kind) {

        /** The kind of a command that {@code holdfast run} runs. */
        public static final String COMMAND = "command";

        /** The kind of a method with an annotation. */
        public static final String METHOD = "method";

        /** The kind of a task of a scheduler, such as ShedLock. */
        public static final String TASK = "task";

        /** The kind of a part of a Java program. */
        public static final String JAVA = "java";

        private static final int LONGEST = 60;
        private static final int LONGEST_KIND = 16;

        /** Creates a process; control characters become blanks, and long texts are cut. */
        public Runner {
            user = shortened(user);
            host = shortened(host);
            program = shortened(program);
            kind = ClientDescription.shortened(kind, LONGEST_KIND);
        }

        /** Returns this process, which runs a program of this kind. */
        public static Runner ofThisProcess(String kind, String program) {
            return new Runner(
                    System.getProperty("user.name", "unknown"),
                    ClientDescription.host(),
                    ProcessHandle.current().pid(),
                    program,
                    kind);
        }

        static String shortened(String text) {
            return ClientDescription.shortened(text, LONGEST);
        }

        /** Describes the process as the note of a holder does, such as {@code root@web3, pid 4066 (backup.sh)}. */
        @Override
        public String toString() {
            return user + "@" + host + ", pid " + pid + " (" + program + ")";
        }
    }

    /** The ways in which a run ends. */
    public enum Status {
        /** The program succeeded while the lock was held. */
        SUCCEEDED,
        /** The program failed. */
        FAILED,
        /** The lock was lost before the end, so that another holder may have been inside. */
        LOST,
        /** The run has ended, and its scheduler does not say whether it succeeded. Counts as no success. */
        ENDED
    }

    /**
     * The end of a run.
     *
     * @param end when the run ended, by the clock of its machine
     * @param status whether it is a success
     * @param text the exit code of a command, or the name of the class of an exception; empty if there is neither
     */
    public record Outcome(Instant end, Status status, String text) {

        private static final Pattern EXIT_CODE = Pattern.compile("\\d{1,3}");

        /** Creates an end; control characters become blanks, and a long text is cut. */
        public Outcome {
            text = Runner.shortened(text);
        }

        /** Returns the end of a command. */
        public static Outcome ofExitCode(Instant end, int code, boolean isLost) {
            Status status = isLost ? Status.LOST : code == 0 ? Status.SUCCEEDED : Status.FAILED;
            return new Outcome(end, status, Integer.toString(code));
        }

        /** Returns the exit code of a command; empty if the run had none. */
        public OptionalInt exitCode() {
            return EXIT_CODE.matcher(text).matches() ? OptionalInt.of(Integer.parseInt(text)) : OptionalInt.empty();
        }

        /** Returns {@code true} if the lock was lost before the end. */
        public boolean isLost() {
            return status == Status.LOST;
        }

        Outcome lost() {
            return new Outcome(end, Status.LOST, text);
        }
    }

    JobRun ended(Outcome end) {
        return new JobRun(fence, start, waited, runner, Optional.of(end));
    }

    /** Returns {@code true} if the run has ended, and succeeded while the lock was held. */
    public boolean isSuccess() {
        return outcome.filter(end -> end.status() == Status.SUCCEEDED).isPresent();
    }

    /** Returns {@code true} if the run failed or lost its lock; {@link Status#ENDED} is neither. */
    boolean isFailure() {
        return outcome.filter(end -> end.status() == Status.FAILED || end.status() == Status.LOST)
                .isPresent();
    }

    /**
     * Returns {@code true} if the run goes on: it has not ended, and its lease holds the lock. If the holder has
     * written no note, which states its token, any holder counts as this run.
     */
    public boolean isRunning(LockStatus lock) {
        return outcome.isEmpty()
                && lock.held()
                        .filter(held -> held.token()
                                .map(token -> token.value() == fence)
                                .orElse(true))
                        .isPresent();
    }

    /** Returns how long the run took; empty while it runs. Zero if the clock was set back meanwhile. */
    public Optional<Duration> duration() {
        return outcome.map(end -> Duration.between(start, end.end()))
                .map(time -> time.isNegative() ? Duration.ZERO : time);
    }
}

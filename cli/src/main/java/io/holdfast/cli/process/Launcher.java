package io.holdfast.cli.process;

import io.holdfast.cli.exit.ExitCode;
import io.holdfast.cli.exit.Failure;
import io.holdfast.cli.lock.JointLease;
import io.holdfast.time.Durations;
import io.holdfast.time.ThreadWait;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.Stream;

/**
 * The shell script {@code bin/holdfast}, which starts the command. Its reports arrive on stdin, and the answers go to
 * stdout; its part {@code lib/run} has a table of both. The end of stdin is the death of the script.
 */
public final class Launcher {

    /** The system property with the process id of the script. */
    private static final String PROPERTY = "holdfast.launcher";

    private static final int WORDS = 5;

    private static final String AGAIN = "again";
    private static final String STOP = "stop";

    private final Signals signals;
    private final PrintStream answers;
    private final CompletableFuture<String[]> started = new CompletableFuture<>();
    private final CompletableFuture<End> ended = new CompletableFuture<>();
    private volatile Retries retries = () -> false;
    private volatile boolean isWaiting;

    /**
     * The end of the command, or of the launcher.
     *
     * @param isDeath whether the launcher was killed, and the command may run
     * @param code the exit code of the command
     */
    public record End(boolean isDeath, int code) {}

    private Launcher(Signals signals, PrintStream answers) {
        this.signals = signals;
        this.answers = answers;
    }

    /** Returns whether the script has started this process to keep a lock for a command. */
    public static boolean isPresent() {
        return System.getProperty(PROPERTY) != null;
    }

    /** Makes this process believe that a script has started it. Returns the reports of a command that ends at once. */
    public static String pretend() {
        long self = ProcessHandle.current().pid();
        System.setProperty(PROPERTY, Long.toString(self));
        return "started " + self + " 0 -1 0\nended 0\n";
    }

    /** Returns the process id that the user sees: that of the script, if it has started this process. */
    public static long pid() {
        return isPresent() ? Long.getLong(PROPERTY, 0) : ProcessHandle.current().pid();
    }

    /** Returns the exit code for this process, after passing the exit code of a run to the script, if there is one. */
    public static int exit(int code) {
        if (!isPresent()) {
            return code;
        }
        System.out.print("exit " + code + "\n");
        System.out.flush();
        return ExitCode.OK;
    }

    /** Begins to read the reports of the script. The signals that the script receives go to {@code signals}. */
    public static Launcher connect(Signals signals) {
        if (!isPresent()) {
            throw new Failure(ExitCode.INTERNAL, "a command is run by the script bin/holdfast; start that");
        }
        Launcher launcher = new Launcher(signals, System.out);
        Thread reader = new Thread(launcher::read, "holdfast-launcher");
        reader.setDaemon(true);
        reader.start();
        return launcher;
    }

    private void read() {
        try (BufferedReader reports =
                new BufferedReader(new InputStreamReader(System.in, StandardCharsets.ISO_8859_1))) {
            for (String line = reports.readLine(); line != null; line = reports.readLine()) {
                receive(line.split(" ", -1));
            }
        } catch (IOException e) {
            // As at the end of the pipe.
        } catch (RuntimeException | Error failed) {
            started.completeExceptionally(failed);
            ended.completeExceptionally(failed);
        }
        if (!ended.isDone()) {
            // A terminal that is closed sends HUP as well.
            signals.endWait("HUP");
            started.completeExceptionally(new IOException("the launcher has ended"));
            ended.complete(new End(true, ExitCode.INTERNAL));
        }
    }

    private void receive(String[] words) {
        switch (words[0]) {
            case "signal" -> signals.receive(words[1]);
            case "key" -> signals.endWait(words[1]);
            case "started" -> started.complete(words);
            case "failed" -> decideOnRetry();
            case "ended" -> end(new End(false, Integer.parseInt(words[1])));
            default -> throw new IllegalStateException("an unknown report of the launcher: " + words[0]);
        }
    }

    /** Answers on a thread of its own, since further reports may arrive during the delay. */
    private void decideOnRetry() {
        try {
            Thread thread = new Thread(() -> answer(mayRunAgain() ? AGAIN : STOP), "holdfast-retry");
            thread.setDaemon(true);
            thread.start();
        } catch (OutOfMemoryError noThread) {
            answer(STOP);
        }
    }

    private boolean mayRunAgain() {
        try {
            return retries.mayRunAgain();
        } catch (InterruptedException e) {
            return false;
        }
    }

    /**
     * Without a report of the start, the script could not create the process. A signal that ends it before {@link #go}
     * was sent to the job, and ends the wait.
     */
    private void end(End end) {
        boolean hasStarted = !started.completeExceptionally(new Failure(
                ExitCode.INTERNAL, "the system created no process for the command; raise its limit of processes"));
        ended.complete(end);
        if (hasStarted && isWaiting && end.code() > ExitCode.SIGNAL) {
            signals.endWait(Signals.ofExitCode(end.code()));
        }
    }

    /**
     * Announces that the locks are held. The script then creates a process, which waits for {@link #go}.
     *
     * @param positions where the script finds the names
     */
    public void grant(String positions) {
        isWaiting = true;
        answer("granted " + positions);
    }

    /**
     * Announces that the command runs without a lock. The script then creates a process, which waits as well. If it
     * waits already, {@link #goWithoutLock} says the same.
     */
    public void grantWithoutLock(String positions) {
        if (!isWaiting) {
            answer("unlocked");
            grant(positions);
        }
    }

    /** Passes settings to the script, which it needs before the command starts. */
    public void configure(String settings) {
        answer("settings " + settings);
    }

    /** Lets a command that fails run again as these retries decide; otherwise it does not. */
    public void allow(Retries newRetries) {
        retries = newRetries;
    }

    /** Returns whether the script has created the process within this time; it has not if it is stopped. */
    public boolean startsWithin(Duration limit) throws InterruptedException {
        try {
            return ThreadWait.park(started, limit) && ThreadWait.resultOf(started).length > 0;
        } catch (CompletionException e) {
            if (e.getCause() instanceof Failure failure) {
                throw failure;
            }
            throw new InterruptedException("the launcher has ended");
        }
    }

    /** Waits until the script has created the process. */
    public void awaitStart() throws InterruptedException {
        startsWithin(Durations.FOREVER);
    }

    /** Returns the process that {@link #startsWithin} has reported, for a command that this token identifies. */
    public CommandProcesses command(String owner) {
        String[] words = ThreadWait.resultOf(started);
        if (words.length != WORDS) {
            throw new IllegalStateException("a report of the launcher is incomplete");
        }
        long[] ids = Stream.of(words).skip(1).mapToLong(Long::parseLong).toArray();
        return new CommandProcesses(ids[0], ids[1], ids[2], ids[3], owner);
    }

    /**
     * Lets the process become the command.
     *
     * @param positions where the script finds the names, which may be other slots than before
     * @param held a description of the lock, without spaces at its ends
     */
    public void go(JointLease lease, String positions, Duration leaseTime, String held) {
        isWaiting = false;
        answer("go " + lease.fencingToken() + " " + lease.owner() + " " + leaseTime.toMillis() + " " + positions + " "
                + held);
    }

    /** Lets the process become the command without a lock; the token only identifies its processes. */
    public void goWithoutLock(String owner, String positions) {
        isWaiting = false;
        answer("go - " + owner + " 0 " + positions + " -");
    }

    /** Ends the process that waits for {@link #go}, if there is one. */
    public void stop() {
        if (isWaiting) {
            answer(STOP);
            isWaiting = false;
        }
    }

    /** Announces the exit code of the run, for a script that learns of no other one because this process is killed. */
    public void result(int code) {
        answer("result " + code);
    }

    /** Waits for the end of the command, or of the script. An interrupt does not end the wait; it stays set. */
    public End awaitEnd() {
        return ThreadWait.join(ThreadWait::park, ended);
    }

    private void answer(String line) {
        answers.print(line + "\n");
        answers.flush();
    }
}

package io.holdfast.stress;

import io.holdfast.stress.client.BackgroundThreads;
import io.holdfast.stress.client.Clients;
import io.holdfast.stress.client.Nodes;
import io.holdfast.stress.operation.OperationContext;
import io.holdfast.stress.witness.Findings;
import io.holdfast.stress.witness.Kind;
import io.holdfast.stress.witness.PauseDetector;
import io.holdfast.stress.witness.Witness;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;

/** A run: epochs in which threads work while clients are replaced, and a check of leftovers after each epoch. */
final class StressRun {

    /** The time limit for all threads to stop: longer than that of any operation. */
    private static final Duration STOP_LIMIT = Duration.ofMinutes(5);

    private static final int REPLACE_MILLIS = 2_000;

    private final StressPlan plan;
    private final Consumer<String> log;
    private final Findings findings;
    private final Witness witness;
    private final LongAdder operations = new LongAdder();
    private final Random random;

    private StressRun(StressPlan plan, Consumer<String> log) {
        this.plan = plan;
        this.log = log;
        this.findings = new Findings(log);
        this.witness = new Witness(findings);
        this.random = new Random(plan.seed());
    }

    static Report of(StressPlan plan, Consumer<String> log) throws InterruptedException {
        return new StressRun(plan, log).run();
    }

    private Report run() throws InterruptedException {
        try (PauseDetector pauseDetector = PauseDetector.start();
                BackgroundThreads background = new BackgroundThreads();
                Nodes nodes = Nodes.start(plan.nodes());
                Clients clients = new Clients(nodes, plan.seed())) {
            long start = System.nanoTime();
            Leftovers leftovers = new Leftovers(nodes, clients, witness, findings);
            int epochs = 0;
            boolean stopped = true;
            while (stopped && !isOver(start)) {
                stopped = epoch(clients, pauseDetector, background, remaining(start));
                epochs++;
                if (stopped && !(plan.untilViolation() && !findings.isEmpty())) {
                    leftovers.check();
                }
                log.accept(
                        "epoch " + epochs + ": " + operations.sum() + " operations, " + witness.entries() + " holds");
            }
            Duration time = Duration.ofNanos(System.nanoTime() - start);
            return new Report(
                    plan,
                    time,
                    epochs,
                    operations.sum(),
                    witness.entries(),
                    clients.replaced(),
                    pauseDetector.longestMillis(),
                    findings);
        }
    }

    private boolean isOver(long start) {
        return remaining(start).isZero() || (plan.untilViolation() && !findings.isEmpty());
    }

    private Duration remaining(long start) {
        Duration left = plan.duration().minusNanos(System.nanoTime() - start);
        return left.isNegative() ? Duration.ZERO : left;
    }

    /** Returns true if all threads have stopped at the end of the epoch. */
    private boolean epoch(Clients clients, PauseDetector pauseDetector, BackgroundThreads background, Duration limit)
            throws InterruptedException {
        List<Worker> workers = new ArrayList<>();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < plan.threads(); i++) {
            OperationContext context = new OperationContext(
                    i, new Random(random.nextLong()), clients, witness, findings, pauseDetector, background);
            Worker worker = new Worker(context, plan.weightedFamilies(), operations);
            Thread thread = new Thread(worker, "stress-worker-" + i);
            thread.setDaemon(true);
            workers.add(worker);
            threads.add(thread);
        }
        threads.forEach(Thread::start);
        long length = Math.min(plan.epoch().toMillis(), limit.toMillis());
        work(clients, System.nanoTime() + length * 1_000_000);
        workers.forEach(Worker::stop);
        return awaitStop(workers, threads);
    }

    /** Replaces a client from time to time, until the epoch is over. */
    private void work(Clients clients, long end) throws InterruptedException {
        while (System.nanoTime() - end < 0) {
            long left = (end - System.nanoTime()) / 1_000_000 + 1;
            long pause = Math.min(left, 1 + random.nextInt(REPLACE_MILLIS));
            if (!plan.untilViolation()) {
                Thread.sleep(pause);
            } else if (findings.await(pause)) {
                return;
            }
            if (plan.closesClients() && System.nanoTime() - end < 0) {
                clients.replace(random.nextInt(Clients.COUNT));
            }
        }
    }

    private boolean awaitStop(List<Worker> workers, List<Thread> threads) throws InterruptedException {
        long end = System.nanoTime() + STOP_LIMIT.toNanos();
        boolean stopped = true;
        for (int i = 0; i < threads.size(); i++) {
            Thread thread = threads.get(i);
            thread.join(Math.max(1, (end - System.nanoTime()) / 1_000_000));
            if (thread.isAlive()) {
                stopped = false;
                findings.add(Kind.STUCK, workers.get(i).current() + " in " + innermost(thread));
            }
        }
        return stopped;
    }

    /** Returns the innermost frames of the library and of this program. */
    private static String innermost(Thread thread) {
        StringBuilder frames = new StringBuilder(thread.getName());
        for (StackTraceElement frame : thread.getStackTrace()) {
            if (frame.getClassName().startsWith("io.holdfast")) {
                frames.append(" < ").append(frame);
            }
        }
        return frames.toString();
    }
}

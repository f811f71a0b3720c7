package io.holdfast.scoreboard.migration;

import io.holdfast.scoreboard.client.CountingClient;
import io.holdfast.scoreboard.contestant.Contestant;
import io.holdfast.scoreboard.witness.Event;
import io.holdfast.scoreboard.witness.Event.Kind;
import io.holdfast.scoreboard.witness.Outcome;
import io.holdfast.scoreboard.witness.Strike;
import io.holdfast.scoreboard.witness.Witness;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Three instances that count under a lock, each replaced while the others work. */
final class Fleet implements AutoCloseable {

    private static final int SIZE = 3;
    private static final long SEED = 1;
    private static final Duration LONGEST_WORK = Duration.ofMillis(6);
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final Migration migration;
    private final Servers servers;
    private final Witness witness;
    private final List<Running> running = new ArrayList<>();
    private final String name = UUID.randomUUID().toString();
    private int started;

    /** An instance that runs, on a thread of its own. */
    private record Running(int number, CountingClient client, CompletableFuture<Void> end) {

        void stop() throws Exception {
            client.stop();
            end.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        }
    }

    private Fleet(Migration migration, Servers servers, Witness witness) {
        this.migration = migration;
        this.servers = servers;
        this.witness = witness;
    }

    /** Starts a fleet whose instances use the old lock. */
    static Fleet start(Migration migration, Servers servers) throws Exception {
        Fleet fleet = new Fleet(migration, servers, Witness.start(false, SEED, LONGEST_WORK));
        for (int i = 0; i < SIZE; i++) {
            fleet.running.add(fleet.run(Version.OLD));
        }
        return fleet;
    }

    private Running run(Version version) throws Exception {
        int begin = witness.size();
        int number = started++;
        CountingClient client = new CountingClient(number, witness.port());
        CompletableFuture<Void> end = new CompletableFuture<>();
        Thread thread = new Thread(() -> count(version, client, end), migration + " " + number);
        thread.setDaemon(true);
        thread.start();
        boolean wrote =
                witness.await(begin, event -> event.client() == number && event.kind() == Kind.WROTE, 1, PATIENCE);
        if (!wrote) {
            throw new AssertionError("Instance " + number + ", " + version + ", could not count; ended: " + end);
        }
        return new Running(number, client, end);
    }

    private void count(Version version, CountingClient client, CompletableFuture<Void> end) {
        try (client;
                Instance instance = new Instance(name)) {
            client.run(checked(migration.connect(version, servers, instance), end));
            end.complete(null);
        } catch (Throwable failure) {
            end.completeExceptionally(failure);
        }
    }

    /** Returns the lock with releases whose failures fail the run. */
    private static Contestant checked(Contestant lock, CompletableFuture<Void> end) {
        return (resource, onLost) -> {
            Contestant.Hold hold = lock.acquire(resource, onLost);
            return new Contestant.Hold(hold.token(), () -> {
                try {
                    hold.release().run();
                } catch (Throwable failure) {
                    end.completeExceptionally(failure);
                    throw failure;
                }
            });
        };
    }

    /** Replaces one instance after another. Each new one has counted before the next one is replaced. */
    void roll(Version next) throws Exception {
        for (int i = 0; i < SIZE; i++) {
            replace(i, next);
        }
    }

    private void replace(int index, Version next) throws Exception {
        running.get(index).stop();
        running.set(index, run(next));
    }

    /** Replaces the second instance while the first one is inside, and returns when the new one has counted. */
    void replaceWhileTheFirstWorks(Version next) throws Exception {
        Strike strike = witness.strikeNext(running.get(0).number());
        strike.begun().get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        running.get(1).client().stop();
        running.add(run(next));
        strike.finish();
    }

    /** Stops the instances, and returns what the witness has seen. */
    Outcome end() throws Exception {
        for (Running instance : running) {
            instance.stop();
        }
        List<Event> history = witness.end();
        return Outcome.of(history);
    }

    @Override
    public void close() throws IOException {
        running.forEach(instance -> instance.client().stop());
        witness.close();
    }
}

package io.holdfast.documents;

import io.holdfast.DistributedLock;
import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.lease.FencingToken;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.locks.Lock;
import net.javacrumbs.shedlock.core.LockProvider;
import org.jspecify.annotations.NullUnmarked;
import reactor.core.publisher.Mono;

/**
 * The names that the blocks of the documents and of the Javadoc use and do not define: the application of the reader.
 */
@NullUnmarked
class Surroundings {

    Holdfast holdfast;
    Holdfast oldHoldfast;
    Orders orders;
    Stock stock;
    Work reports;
    Work collector;
    Catalogue catalogue;
    Accounts accounts;
    Schema schema;
    Importer importer;
    Mail mail;
    Scheduler scheduler;
    Redisson redisson;
    DistributedLock lock;
    Lease lease;
    Lease held;
    Object request;
    Instant midnight;
    String passwordOfTheMaster;
    String passwordOfTheSentinels;
    List<String> addresses;
    MeterRegistry registry;
    ObservationRegistry observationRegistry;

    boolean ranSince(Instant midnight, String last) {
        return Instant.parse(last).isAfter(midnight);
    }

    /** Runs the block, if it consists of statements. */
    void run() throws Exception {}

    void writeReport(FencingToken token) {}

    LockProvider oldProvider() {
        return null;
    }

    interface Orders {
        void ship(int order);

        void bill(int order);

        void stop(int order);

        Mono<String> ship(int order, FencingToken token);
    }

    interface Stock {
        int read(String sku);

        void write(String sku, int pieces, FencingToken token);
    }

    interface Work {
        void write();

        void collect(FencingToken token);
    }

    interface Accounts {
        void move(int from, int to, int cents);
    }

    interface Schema {
        boolean isCurrent();

        void migrate();
    }

    interface Importer {
        boolean read();
    }

    interface Mail {
        void send(int customer);
    }

    interface Catalogue {
        void find(int article);
    }

    interface Redisson {
        Lock getLock(String name);
    }

    interface Scheduler {
        void start(FencingToken token);

        void stop();
    }
}

package io.holdfast.cli.console;

import io.holdfast.Holdfast;
import io.holdfast.HoldfastOptions;
import io.holdfast.Lease;
import io.holdfast.LockOptions;
import io.holdfast.console.ConsoleDemo;
import io.holdfast.jobs.Job;
import io.holdfast.jobs.JobPeriod;
import io.holdfast.servers.RedisServer;
import io.holdfast.servers.RedisServers;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;

/** The servers, clients and jobs of the demonstration. */
final class DemoStage implements ConsoleDemo, AutoCloseable {

    private static final int SERVERS = 3;
    private static final Duration LONGEST_LEASE = Duration.ofSeconds(15);
    private static final Duration PAUSE_AFTER_KILL = Duration.ofSeconds(12);
    private static final HoldfastOptions OPTIONS =
            HoldfastOptions.builder().maxLease(LONGEST_LEASE).build();
    private static final LockOptions LOCK = LockOptions.builder()
            .lease(Duration.ofSeconds(6))
            .waitLimit(Duration.ofSeconds(20))
            .fair(true)
            .build();
    private static final int ORDERS = 3;
    /** The cleanup fails once in so many runs. */
    private static final int BAD_RUN = 4;

    private static final Duration JOB_EXPECTED = Duration.ofSeconds(30);

    private final RedisServers servers;
    private final Map<String, RedisServer> byName = new LinkedHashMap<>();
    private final Map<String, String> states = new LinkedHashMap<>();
    private final List<DemoClientThread> clients = new ArrayList<>();
    private final Random random = new Random();
    private final AtomicBoolean shallFail = new AtomicBoolean();
    private final AtomicBoolean isFirstInCycle = new AtomicBoolean();
    private final AtomicBoolean isSecondInCycle = new AtomicBoolean();

    private DemoStage(RedisServers servers) {
        this.servers = servers;
        servers.forEach(server -> {
            byName.put(server.uri().toString(), server);
            states.put(server.uri().toString(), "running");
        });
    }

    /** Starts the servers and the clients. */
    static DemoStage start() throws InterruptedException {
        DemoStage stage = new DemoStage(RedisServers.start(SERVERS));
        try (Holdfast nightly = Holdfast.connect(
                stage.servers.addresses(),
                OPTIONS.toBuilder().name("nightly@pod-14").build())) {
            nightly.admin().admit();
            DemoHistory.record(nightly, Instant.now());
        }
        for (int pod = 1; pod <= 6; pod++) {
            stage.add("orders@pod-" + pod, new Contender("order:", ORDERS, new Random(pod))::work);
        }
        stage.add("billing@pod-7", new Contender("invoice:2026-", 2, new Random(7))::work);
        stage.add("billing@pod-8", new Contender("invoice:2026-", 2, new Random(8))::work);
        stage.add("prices@pod-9", DemoStage::share);
        stage.add("prices@pod-10", DemoStage::share);
        stage.add("reports@pod-11", stage::runJobs);
        stage.add("cart@pod-12", (self, client) -> stage.cross(self, client, stage.isFirstInCycle, "cart", "stock"));
        stage.add("stock@pod-13", (self, client) -> stage.cross(self, client, stage.isSecondInCycle, "stock", "cart"));
        stage.clients.forEach(DemoClientThread::start);
        return stage;
    }

    /** Returns a client of these servers, for the console. */
    Holdfast connect() {
        return Holdfast.connect(servers.addresses(), OPTIONS);
    }

    private void add(String name, DemoClientThread.Work work) {
        clients.add(new DemoClientThread(name, servers.addresses(), OPTIONS, work, PAUSE_AFTER_KILL));
    }

    /** A client that acquires one of several locks again and again. */
    private record Contender(String prefix, int locks, Random random) {

        void work(DemoClientThread self, Holdfast client) throws InterruptedException {
            String name = prefix + (1 + random.nextInt(locks));
            self.show("waits for " + name);
            self.hold(client.lock(name, LOCK).acquire(), Duration.ofMillis(3_000 + random.nextInt(5_000)));
            self.pause(Duration.ofMillis(random.nextInt(2_000)));
        }
    }

    private static void share(DemoClientThread self, Holdfast client) throws InterruptedException {
        self.hold(client.lock("price-list", LOCK).shared().acquire(), Duration.ofSeconds(8));
        self.pause(Duration.ofSeconds(2));
    }

    private void runJobs(DemoClientThread self, Holdfast client) throws InterruptedException {
        runJob(self, client, "report", Duration.ofSeconds(4), false);
        runJob(self, client, "import", Duration.ofSeconds(2), shallFail.getAndSet(false));
        runJob(self, client, "cleanup", Duration.ofSeconds(1), random.nextInt(BAD_RUN) == 0);
        self.pause(Duration.ofSeconds(3));
    }

    private static void runJob(DemoClientThread self, Holdfast client, String name, Duration takes, boolean fails)
            throws InterruptedException {
        self.show("runs " + name);
        try {
            Job.of(client, name)
                    .oncePer(JobPeriod.parse("20s"))
                    .expectEvery(JOB_EXPECTED)
                    .withProgram(name + ".jar")
                    .run(run -> {
                        self.pause(takes);
                        if (fails) {
                            throw new IllegalStateException("planned");
                        }
                    });
        } catch (IllegalStateException planned) {
            self.show("has failed");
        }
    }

    /** Holds one lock and waits for the other one, so that two clients that do this wait for each other. */
    private void cross(DemoClientThread self, Holdfast client, AtomicBoolean isWanted, String held, String wanted)
            throws InterruptedException {
        self.show("idle");
        self.pause(Duration.ofMillis(100));
        if (!isWanted.getAndSet(false)) {
            return;
        }
        Lease first = client.lock(held, LOCK).acquire();
        try {
            self.show("holds " + held + ", waits for " + wanted);
            self.pause(Duration.ofMillis(500));
            self.end(client.lock(wanted, LOCK).acquire());
        } finally {
            self.end(first);
        }
    }

    @Override
    public synchronized Map<String, String> servers() {
        return new LinkedHashMap<>(states);
    }

    @Override
    public List<DemoClient> clients() {
        return IntStream.range(0, clients.size())
                .mapToObj(i -> new DemoClient(
                        Integer.toString(i),
                        clients.get(i).name(),
                        clients.get(i).state()))
                .toList();
    }

    @Override
    public void act(String action, String target) {
        switch (action) {
            case "kill-client" -> client(target).kill();
            case "throw" -> shallFail.set(true);
            case "cycle" -> {
                isFirstInCycle.set(true);
                isSecondInCycle.set(true);
            }
            default -> actOnServer(action, target);
        }
    }

    private DemoClientThread client(String id) {
        return IntStream.range(0, clients.size())
                .filter(i -> Integer.toString(i).equals(id))
                .mapToObj(clients::get)
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("there is no such client"));
    }

    private synchronized void actOnServer(String action, String name) {
        RedisServer server = byName.get(name);
        if (server == null) {
            throw new IllegalArgumentException("there is no such server");
        }
        switch (action) {
            case "kill" -> change(name, "killed", server::kill);
            case "restart" -> change(name, "running", server::restartEmpty);
            case "freeze" -> changeFrom("running", name, "frozen", server::freeze);
            case "thaw" -> changeFrom("frozen", name, "running", server::thaw);
            case "wipe" -> changeFrom("running", name, "running", () -> server.exec("FLUSHALL"));
            default -> throw new IllegalArgumentException("there is no such action");
        }
    }

    private void changeFrom(String needed, String name, String state, Runnable change) {
        if (!needed.equals(states.get(name))) {
            throw new IllegalArgumentException("the server is " + states.get(name) + ", not " + needed);
        }
        change(name, state, change);
    }

    private void change(String name, String state, Runnable change) {
        change.run();
        states.put(name, state);
    }

    @Override
    public void close() {
        try {
            for (DemoClientThread client : clients) {
                client.close();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        servers.close();
    }
}

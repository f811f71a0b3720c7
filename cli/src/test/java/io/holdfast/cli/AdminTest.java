package io.holdfast.cli;

import static io.holdfast.servers.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.holdfast.Holdfast;
import io.holdfast.HoldfastOptions;
import io.holdfast.Lease;
import io.holdfast.cli.option.NodesOptions;
import io.holdfast.servers.PatientOptions;
import io.holdfast.servers.RedisServer;
import io.holdfast.servers.RedisServerOptions;
import io.holdfast.servers.RedisServers;
import io.holdfast.servers.binary.RedisBinary;
import io.holdfast.testkit.fault.ServerClock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Runs {@code status}, {@code list}, {@code watch}, {@code break} and {@code doctor} as processes on real servers. */
@Tag("process")
@Execution(ExecutionMode.CONCURRENT)
class AdminTest {

    @AutoClose
    private final RedisServers servers = RedisServers.start(3);
    /** The longest time for which a lock can be retained, unless its client allows for more. */
    private static final Duration LONGEST = HoldfastOptions.DEFAULT.maxLease();

    private final String name = "admin-" + UUID.randomUUID();

    @TempDir
    private Path directory;

    private PackagedCommand command() {
        return PackagedCommand.on(directory, servers);
    }

    private PackagedCommand command(List<String> addresses) {
        return new PackagedCommand(directory).with(NodesOptions.VARIABLE, String.join(",", addresses));
    }

    private PackagedCommand.Running hold() {
        PackagedCommand.Running holder = command().start("run", name, "--", "sh", "-c", "touch held; exec sleep 1000");
        // On a busy machine, a failed attempt may be on all nodes before the next one is.
        eventually("the command has started", () -> Files.exists(directory.resolve("held")));
        eventually("all nodes have the lock of one attempt", () -> {
            Set<String> owners = IntStream.range(0, servers.count())
                    .mapToObj(node -> String.valueOf(servers.get(node).exec("GET", name)))
                    .collect(Collectors.toSet());
            return owners.size() == 1 && !owners.contains("null");
        });
        return holder;
    }

    @Test
    void status_heldLock_printsHolderAndExitsZero() {
        PackagedCommand.Running holder = hold();
        String owner = String.valueOf(servers.get(0).exec("GET", name));
        eventually("the note is written", new LockKeys(servers, name)::hasNote);

        PackagedCommand.Result status = command().run("status", name);

        assertThat(status.code()).isZero();
        assertThat(status.out())
                .contains(
                        "'" + name + "' is held by ",
                        "pid " + holder.process().pid(),
                        "(sh) since ",
                        "s left",
                        ", fence ")
                .contains(servers.addresses())
                .doesNotContain(owner);
        assertThat(command().run("status", name, "--json").out())
                .startsWith("{\"resource\":\"" + name + "\",\"held\":true,\"disputed\":false,\"holder\":\"")
                .contains("\"nodes\":[{\"node\":\"" + servers.addresses().get(0) + "\",\"holder\":")
                .contains("\"sharedHolders\":0,\"remainingMillis\":");
        holder.signal("TERM");
        holder.end();
        assertThat(command().run("status", name).out()).contains("'" + name + "' is free");
    }

    /** A client of the library writes no note, so its name is all that an administrator sees. */
    @Test
    void status_heldAndAwaitedByApplications_namesBoth() throws Exception {
        try (Holdfast holder = named("orders@\u001b[2Jpod-7");
                Holdfast waiter = named("orders@pod-8")) {
            Lease lease = holder.lock(name, PatientOptions.LOCK).acquire();
            CompletableFuture<Lease> waiting =
                    waiter.lock(name, PatientOptions.LOCK).acquireAsync();
            String pid = ", pid " + ProcessHandle.current().pid();

            eventually(
                    "both are named", () -> command().run("status", name).out().contains("pod-8" + pid));

            assertThat(command().run("status", name).out())
                    .contains("'" + name + "' is held by orders@ [2Jpod-7" + pid + "; ", ", 1 waiting")
                    .containsPattern("\n  waits: orders@pod-8" + pid + ", since \\d{4}-\\d\\d-\\d\\d ");
            assertThat(command().run("list", "--json").out())
                    .contains("\"clients\":[{\"name\":\"orders@ [2Jpod-7\",\"pid\":")
                    .contains("\"queue\":[{\"name\":\"orders@pod-8\",\"pid\":")
                    .contains("\"waitsSince\":\"2");
            lease.close();
            waiting.join().close();
        }
    }

    @Test
    void list_clientsWaitForEachOther_namesThem() throws Exception {
        try (Holdfast one = named("one");
                Holdfast two = named("two")) {
            one.lock(name + "-a", PatientOptions.LOCK).acquire();
            two.lock(name + "-b", PatientOptions.LOCK).acquire();
            one.lock(name + "-b", PatientOptions.LOCK).acquireAsync();
            assertThat(command().run("list").out()).doesNotContain("wait for each other");
            two.lock(name + "-a", PatientOptions.LOCK).acquireAsync();

            eventually("both are named", () -> {
                String out = command().run("list").out();
                return out.contains("warning: these clients wait for each other: ")
                        && out.contains("one, pid " + ProcessHandle.current().pid() + " waits for '" + name + "-b'")
                        && out.contains("two, pid " + ProcessHandle.current().pid() + " waits for '" + name + "-a'");
            });
        }
    }

    private Holdfast named(String client) {
        return Holdfast.connect(
                servers.addresses(),
                PatientOptions.CLIENT.toBuilder().name(client).build());
    }

    @Test
    void status_lockThatIsRetained_printsTheTimeLeft() throws Exception {
        try (Holdfast client = Holdfast.connect(servers.addresses(), PatientOptions.CLIENT)) {
            Lease lease = client.lock(name, PatientOptions.LOCK).acquire();
            lease.annotate("the nightly job");
            eventually(
                    "the note is stored",
                    () -> command().run("status", name).out().contains("the nightly job"));
            lease.release(LONGEST);

            PackagedCommand.Result status = command().run("status", name);

            assertThat(status.code()).isZero();
            assertThat(status.out())
                    .contains("'" + name + "' was released and is retained by the nightly job; ", " s left, fence ")
                    .contains("released and retained by ")
                    .doesNotContain(lease.owner().token(), "unless renewed");
            assertThat(command().run("status", name, "--json").out()).contains("\"retained\":true");
        }
    }

    @Test
    void status_oneNodeDownAndOneWithoutTheKey_printsTheDisagreement() {
        // A command that acquires the lock may end before the third server has it.
        servers.get(2).exec("SET", name, "owner", "PX", "60000");
        servers.get(0).kill();

        PackagedCommand.Result status = command().run("status", name);

        assertThat(status.code()).as("the dead server may have it").isEqualTo(69);
        assertThat(status.out())
                .contains(
                        "unknown whether '" + name + "' is held: 2 of 3 servers answer, and 1 has it",
                        "connection refused");
        servers.get(1).kill();
        assertThat(command().run("status", name).code()).isEqualTo(69);
    }

    @Test
    void list_heldAndFreeLocks_printsOnlyHeldLocks() {
        command().run("run", name + "-over", "--", "true");
        PackagedCommand.Running holder = hold();

        PackagedCommand.Result list = command().run("list");

        assertThat(list.code()).isZero();
        assertThat(list.out().lines()).singleElement().asString().startsWith("'" + name + "' is held");
        assertThat(command().run("list", "--json").out()).startsWith("{\"resource\":\"" + name + "\"");
        holder.process().destroyForcibly();
    }

    @Test
    void watch_countTwo_printsTheLocksTwice() {
        PackagedCommand.Running holder = hold();

        PackagedCommand.Result all = command().run("watch", "--count", "2", "--interval", "100ms");
        PackagedCommand.Result named = command().run("watch", name, "other", "--count", "1", "--json");

        assertThat(all.code()).isZero();
        assertThat(all.out().lines().filter(line -> line.startsWith("'" + name + "' is held")))
                .hasSize(2);
        assertThat(named.out().lines())
                .satisfiesExactly(
                        first -> assertThat(first).startsWith("{\"resource\":\"" + name + "\",\"held\":true"),
                        second -> assertThat(second).startsWith("{\"resource\":\"other\",\"held\":false"));
        holder.process().destroyForcibly();
    }

    @Test
    void break_heldLock_asksAndBreaksWithForce() {
        PackagedCommand.Running holder = hold();

        // The input on stdin is not a yes.
        PackagedCommand.Result asked = command().run("break", name);
        assertThat(asked.code()).isEqualTo(1);
        assertThat(asked.err()).contains("is held by", "Type yes", "not broken");
        assertThat(new LockKeys(servers, name).isHeld()).isTrue();

        PackagedCommand.Result forced = command().run("break", name, "--force");
        assertThat(forced.code()).isZero();
        assertThat(forced.out().lines()).hasSize(3).allMatch(line -> line.endsWith("broken"));
        assertThat(command().run("break", name, "--force", "--json").out()).contains("\"broken\":false");
        holder.process().destroyForcibly();
    }

    @Test
    void doctor_healthyServers_reportsNoProblemAndExitsZero() {
        PackagedCommand.Result doctor = command().run("doctor");

        assertThat(doctor.out())
                .contains(
                        "3 of 3 servers vote; locks can be taken",
                        "round trip",
                        "clock rate",
                        "version",
                        "tested           yes")
                .contains("  ok")
                .doesNotContain("ERROR", "WARNING", "NOTE");
        assertThat(doctor.code()).isZero();
        assertThat(command().run("doctor", "--json").out())
                .startsWith("{\"verdict\":0,\"voting\":3,\"needed\":2,\"nodes\":[{\"node\":\""
                        + servers.addresses().get(0))
                .contains("\"facts\":{\"version\":", "\"tested\":true", "\"votes\":true", "\"findings\":[]")
                .containsPattern("\"uptimeSeconds\":\\d+,")
                .containsPattern("\"roundTripMillis\":\\d+\\.\\d+,");
    }

    @Test
    void doctor_restartedAndDeadAndReplica_printsTheRemedies() {
        servers.get(0).restartEmpty();
        servers.get(1).kill();
        servers.get(2)
                .exec("REPLICAOF", "127.0.0.1", Integer.toString(servers.get(0).port()));

        PackagedCommand.Result doctor = command().run("doctor");

        assertThat(doctor.code()).isEqualTo(2);
        assertThat(doctor.out())
                .containsPattern("WARNING: in quarantine for \\d+ s")
                .contains("holdfast admit")
                .contains("ERROR: not connected: connection refused")
                .contains("ERROR: it is a replica")
                .contains("0 of 3 servers vote; no lock can be taken: 2 are needed");
    }

    @Test
    @Tag("evidence")
    void doctor_sameServerTwiceAndEviction_reportsBoth() {
        servers.get(1).exec("CONFIG", "SET", "maxmemory-policy", "allkeys-lru");
        servers.get(1).exec("CONFIG", "SET", "maxmemory", "100mb");
        String first = servers.addresses().get(0);

        PackagedCommand.Result doctor = command(List.of(
                        first,
                        first.replace("127.0.0.1", "localhost"),
                        servers.addresses().get(1)))
                .run("doctor");

        assertThat(doctor.code()).isEqualTo(2);
        assertThat(doctor.out()).contains("it is the same server as", "maxmemory-policy allkeys-lru");
    }

    @Test
    @Tag("evidence")
    void doctor_memoryOfTwoServersIsFull_doesNotPromiseLocks() {
        servers.get(0).exec("CONFIG", "SET", "maxmemory", "1");
        servers.get(1).exec("CONFIG", "SET", "maxmemory", "1");

        PackagedCommand.Result doctor = command(servers.addresses()).run("doctor");

        assertThat(doctor.code()).isEqualTo(2);
        assertThat(doctor.out())
                .containsPattern("ERROR: its memory is full \\(\\d+ of 1 bytes\\): it grants nothing")
                .contains("3 of 3 servers vote; a lock may not be granted: see the errors");
    }

    @Test
    @Tag("evidence")
    void doctor_oneServerWithoutPersistence_warns() {
        PackagedCommand.Result doctor =
                command(servers.addresses().subList(0, 1)).run("doctor");

        assertThat(doctor.code()).isEqualTo(1);
        assertThat(doctor.out()).contains("WARNING: it forgets its locks when it is restarted", "three nodes or more");
        assertThat(command(servers.addresses().subList(0, 1))
                        .run("doctor", "--json")
                        .out())
                .contains("\"severity\":\"warning\"", "\"remedy\":");
    }

    @Test
    void doctor_userWithFewRights_reportsMissingRightsAndSkippedChecks() {
        assumeTrue(servers.get(0).version().isAtLeast(7, 0), "no ACL DRYRUN");
        servers.forEach(server -> {
            server.exec("ACL SETUSER half on >pw ~* &* -@all +hello +auth +time +acl +get +set".split(" "));
            server.exec("ACL SETUSER blind on >pw ~* &* +@all -acl -info".split(" "));
        });
        List<String> half = servers.addresses().stream()
                .map(address -> address.replace("redis://", "redis://half:pw@"))
                .toList();
        List<String> blind = servers.addresses().stream()
                .map(address -> address.replace("redis://", "redis://blind:pw@"))
                .toList();

        assertThat(command(half).run("doctor").out())
                .contains("ERROR: its user may not do all that a node needs", "ACL SETUSER half +mget", "+evalsha");
        assertThat(command(blind).run("doctor").out())
                .contains("its user may not call INFO", "grant +info", "its user's rights cannot be seen");
    }

    @Test
    @Tag("evidence")
    void doctor_serverWithoutDryRun_reportsItUnlessTheUserHasAllRights() {
        RedisBinary old = RedisBinary.all().stream()
                .filter(server -> !server.version().isAtLeast(7, 0))
                .findFirst()
                .orElseThrow();
        try (RedisServer server = RedisServer.start(RedisServerOptions.DEFAULT.withBinary(old))) {
            server.exec("ACL SETUSER most on >pw ~* &* +@all -flushall".split(" "));
            String all = server.uri().toString();

            assertThat(command(List.of(all)).run("doctor").out()).doesNotContain("rights");
            assertThat(command(List.of(all.replace("redis://", "redis://most:pw@")))
                            .run("doctor")
                            .out())
                    .contains("NOTE: its user's rights cannot be tried", "a server from 7.0 on can");
        }
    }

    @Test
    @Tag("evidence")
    void doctor_wrongClock_reportsTheDifference() {
        assumeTrue(ServerClock.isAvailable());
        ServerClock clock = ServerClock.in(directory, RedisBinary.find());
        clock.set(Duration.ofSeconds(-30));
        RedisServerOptions options = clock.options();
        try (RedisServer late = RedisServer.start(options)) {
            PackagedCommand.Result doctor =
                    command(List.of(late.uri().toString())).run("doctor");

            assertThat(doctor.code()).isEqualTo(2);
            assertThat(doctor.out()).contains("its clock is 30.", "behind ours", "set the clocks");
        }
    }
}

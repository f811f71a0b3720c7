package io.holdfast.inventory.demo;

import io.holdfast.servers.Eventually;
import io.holdfast.servers.RedisServers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** The demonstration: three ways to sell, with a killed server and a stopped holder, and what came of them. */
public final class Demo {

    private static final int PIECES = 400;
    private static final int CUSTOMERS = 500;
    private static final int AT_A_TIME = 12;
    private static final int SHOPS = 2;
    private static final Path PICTURE = Path.of("inventory.svg");

    private static final Map<String, String> NAMES =
            Map.of("no-lock", "no lock", "lock", "lock", "token", "lock + fencing token");

    private final Database database;
    private final RedisServers servers;
    private final List<ShopProcess> shops;

    private Demo(Database database, RedisServers servers, List<ShopProcess> shops) {
        this.database = database;
        this.servers = servers;
        this.shops = shops;
    }

    /**
     * Runs everything, prints a table, and writes a picture.
     *
     * @return {@code false} if a part did not do its work, which is printed
     */
    public static boolean run() throws Exception {
        Path directory = Files.createTempDirectory("inventory");
        try {
            run(directory);
        } catch (AssertionError | IllegalStateException failure) {
            System.err.println(
                    "The demonstration has ended: " + failure.getMessage() + ". See the logs in " + directory);
            return false;
        }
        delete(directory);
        return true;
    }

    private static void run(Path directory) throws Exception {
        Path jar = Path.of(System.getProperty("java.class.path")).toAbsolutePath();
        List<ShopProcess> shops = new ArrayList<>();
        System.out.println("Starting a database, three Redis servers and " + SHOPS + " shops ...");
        try (Database database = Database.start(directory);
                RedisServers servers = RedisServers.start(3)) {
            for (int i = 1; i <= SHOPS; i++) {
                shops.add(ShopProcess.start(
                        jar, database.url(), servers.addresses(), directory.resolve("shop-" + i + ".log")));
            }
            shops.forEach(ShopProcess::awaitReady);
            new Demo(database, servers, shops).compare();
        } finally {
            shops.forEach(ShopProcess::close);
        }
    }

    /** Deletes the data and the logs, unless the demonstration has failed. */
    private static void delete(Path directory) throws IOException {
        try (Stream<Path> tree = Files.walk(directory)) {
            for (Path file : tree.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    private void compare() throws Exception {
        List<Run> runs = new ArrayList<>();
        for (String way : List.of("no-lock", "lock", "token")) {
            runs.add(sell(way));
        }
        System.out.println();
        System.out.println(Run.header());
        runs.forEach(run -> System.out.println(run.row()));
        System.out.println();
        System.out.println(
                "A lock ends when its lease expires, also if its holder was only stopped. The fencing token");
        System.out.println(
                "lets the database refuse the late write: " + runs.get(2).last().answer());
        Files.writeString(PICTURE, Picture.of(runs));
        System.out.println("What happened to the last piece: " + PICTURE.toAbsolutePath());
    }

    private Run sell(String way) throws Exception {
        System.out.println(
                NAMES.get(way) + ": " + CUSTOMERS + " customers buy " + PIECES + " pieces; one server is killed ...");
        database.restock("apple", PIECES);
        Customers customers = new Customers(shops, way, "apple", CUSTOMERS);
        CompletableFuture<Void> load = customers.buy(AT_A_TIME);
        awaitSent(customers, CUSTOMERS / 3);
        servers.get(0).kill();
        awaitSent(customers, CUSTOMERS * 2 / 3);
        servers.get(0).restartEmpty();
        load.get(5, TimeUnit.MINUTES);
        int sold = database.sold("apple");
        int left = database.left("apple");
        awaitAllVotes();
        System.out.println(NAMES.get(way) + ": the holder of the last piece is stopped ...");
        LastPiece last = LastPiece.sell(way, shops.get(0), shops.get(1), database);
        return new Run(String.valueOf(NAMES.get(way)), PIECES, sold, left, last);
    }

    private static void awaitSent(Customers customers, int count) {
        Eventually.within(Duration.ofMinutes(5), count + " customers have come", () -> customers.sent() >= count);
    }

    /** The server that was restarted votes again when every lease that it may have forgotten has expired. */
    private void awaitAllVotes() {
        Eventually.within(Duration.ofMinutes(1), "all servers vote", this::allVote);
    }

    private boolean allVote() throws IOException, InterruptedException {
        return shops.get(0).get("/actuator/health").contains("\"spare\":1");
    }
}

package io.holdfast.inventory;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.inventory.demo.Customers;
import io.holdfast.inventory.demo.Database;
import io.holdfast.inventory.demo.LastPiece;
import io.holdfast.inventory.demo.ShopProcess;
import io.holdfast.servers.Eventually;
import io.holdfast.servers.RedisServers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Two shops by {@code java -jar}, one database and three Redis servers, over HTTP. */
@Tag("process")
@Tag("evidence")
@Tag("nightly")
class InventoryTest {

    private static final int REQUESTS = 5_000;
    private static final int PIECES = 1_000_000;
    private static final int AT_A_TIME = 8;
    private static final String APPLE = "apple";

    @TempDir
    private static Path directory;

    private static Database database;
    private static RedisServers servers;
    private static List<ShopProcess> shops;

    @BeforeAll
    static void start() throws Exception {
        database = Database.start(directory);
        servers = RedisServers.start(3);
        shops = List.of(shop(1), shop(2));
        shops.forEach(ShopProcess::awaitReady);
    }

    private static ShopProcess shop(int number) throws Exception {
        return ShopProcess.start(
                Path.of("target/inventory-app.jar"),
                database.url(),
                servers.addresses(),
                directory.resolve("shop-" + number + ".log"),
                "--management.health.holdfast.timeout=1m");
    }

    @AfterAll
    static void stop() throws Exception {
        shops.forEach(ShopProcess::close);
        servers.close();
        database.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"lock", "token", "lock-in-transaction"})
    void sell_serversAndShopsAreRestarted_isExact(String way) throws Exception {
        sellWithFailures(way);

        assertThat(database.sold(APPLE)).isGreaterThanOrEqualTo(REQUESTS * 9 / 10);
        assertThat(database.sold(APPLE) + database.left(APPLE)).isEqualTo(PIECES);
    }

    /** Shows that the test above detects lost updates. */
    @ParameterizedTest
    @ValueSource(strings = {"no-lock", "early"})
    void sell_withoutLockOrReleasedBeforeTheCommit_isWrong(String way) throws Exception {
        sellQuietly(way);

        assertThat(database.sold(APPLE) + database.left(APPLE)).isGreaterThan(PIECES);
    }

    private static void sellQuietly(String way) throws Exception {
        database.restock(APPLE, PIECES);
        new Customers(shops, way, APPLE, REQUESTS).buy(AT_A_TIME).get();
    }

    private static void sellWithFailures(String way) throws Exception {
        database.restock(APPLE, PIECES);
        Customers customers = new Customers(shops, way, APPLE, Integer.MAX_VALUE);
        CompletableFuture<Void> load = customers.buy(AT_A_TIME);

        restartServers(customers);
        servers.get(1).freeze();
        awaitMore(customers);
        servers.get(1).thaw();
        awaitAllVotes();
        for (ShopProcess shop : shops) {
            shop.restart();
        }
        customers.finish(REQUESTS);
        load.get();
    }

    /** Restarts the servers one after another, without their data, as an update of all machines does. */
    private static void restartServers(Customers customers) {
        for (int i = 0; i < servers.count(); i++) {
            awaitMore(customers);
            servers.get(i).kill();
            awaitMore(customers);
            servers.get(i).restartEmpty();
            awaitAllVotes();
        }
    }

    /** Waits until customers have bought in the present state of the servers. */
    private static void awaitMore(Customers customers) {
        awaitSent(customers, customers.sent() + REQUESTS / 10);
    }

    private static void awaitSent(Customers customers, int count) {
        Eventually.within(Duration.ofMinutes(10), count + " requests have been sent", () -> customers.sent() >= count);
    }

    private static void awaitAllVotes() {
        Eventually.eventually(
                "all servers vote", () -> shops.get(0).get("/actuator/health").contains("\"spare\":1"));
    }

    @Test
    void sell_holderIsStoppedBeyondItsLease_onlyTheTokenPreventsASecondSale() throws Exception {
        LastPiece locked = LastPiece.sell("lock", shops.get(0), shops.get(1), database);
        LastPiece fenced = LastPiece.sell("token", shops.get(0), shops.get(1), database);

        assertThat(locked.sold()).isEqualTo(2);
        assertThat(fenced.sold()).isEqualTo(1);
        assertThat(fenced.answer()).startsWith("refused");
    }
}

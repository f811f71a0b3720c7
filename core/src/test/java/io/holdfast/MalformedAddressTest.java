package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.node.LockNode;
import io.holdfast.node.NodeAddress;
import io.holdfast.node.NodeProvider;
import io.holdfast.node.NodeSettings;
import io.holdfast.node.memory.InMemoryNode;
import io.holdfast.time.Time;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Addresses that cannot be used, and the passwords in them. */
@Execution(ExecutionMode.CONCURRENT)
class MalformedAddressTest {

    private static final int ADDRESSES = 10_000;
    private static final long SEED = Long.getLong("holdfast.seed", 42);
    private static final List<String> SCHEMES =
            List.of("redis", "rediss", "redis-sentinel", "redis-cluster", "REDIS", "redi s", "http", "", "secretive");
    private static final List<String> SEPARATORS = List.of("://", ":/", ":", "//", "/", "", "://:", ":///");
    private static final String SPECIAL = "#?/@:%[]\\ ^|,;&=+$!'\"<>{}`~*()\u00fc\n\t";
    private static final List<String> HOSTS = List.of(
            "host",
            "my_host",
            "127.0.0.1",
            "[::1]",
            "[::1]:6379",
            "[::1],[::2]:1",
            "[::1",
            "::1]",
            "[",
            "",
            "a,b",
            "host:",
            "host:0",
            "host:99999",
            "ho st",
            "-",
            "host:12x");

    /** Accepts all addresses and records the names under which they would be reported. */
    private static final class Client implements NodeProvider {

        private final List<String> names = new ArrayList<>();

        @Override
        public boolean supports(String scheme) {
            return scheme.toLowerCase(Locale.ROOT).startsWith("redis");
        }

        @Override
        public List<LockNode> connect(List<NodeAddress> addresses, NodeSettings settings, Time time) {
            return addresses.stream().map(address -> node(address, time)).toList();
        }

        private LockNode node(NodeAddress address, Time time) {
            names.add(address + " " + address.hosts() + " " + address.login());
            return new InMemoryNode(address.toString(), time);
        }
    }

    private final Random random = new Random(SEED);
    private final Client client = new Client();

    @ParameterizedTest
    @ValueSource(
            strings = {
                "redis://:se#cret@127.0.0.1:22001",
                "redis://:se?cret@127.0.0.1:22001",
                "redis://:se/cret@127.0.0.1:22001",
                "redis://user:12#cret@127.0.0.1:22001",
                "redis://user:12?cret@127.0.0.1:22001",
                "redis://user:12/cret@127.0.0.1:22001",
                "rediss:/:secret@127.0.0.1:22001",
                "secret@127.0.0.1:22001",
                "redis://127.0.0.1:22001:secret",
                "redis://127.0.0.1:22001/secret",
                "redis://127.0.0.1:22001#secret",
                "redis://se@cret@127.0.0.1",
                "redis-cluster://a,:secret",
                "redis-cluster://user:secret@[::1",
                "redis-cluster://user:secret@[::1],[secret]",
                "redis://user:secret@[::1]:x",
                "redis://user:secret@ho st:6379",
                "redis://user:%secret@a",
                "redis://user:se[cret]@a",
                "redis://user:se@cret@a",
                "redis-sentinel://a:26379:secret#name",
                "redis://secret@",
                "redis://secret@127.0.0.1",
                "redis-sentinel://secret@a,b#name",
                "redis://:secret@:6379",
                "secret://host"
            })
    void connect_noUsableHost_namesThePositionOnly(String address) {
        assertThatThrownBy(() -> connect("redis://127.0.0.1:22000", address))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("The 2nd address")
                .message()
                .doesNotContain("se#cret", "cret", "secret");
        assertThat(client.names).isEmpty();
    }

    @Test
    void connect_userWithoutPassword_namesTheReasonAndTheRemedy() {
        assertThatThrownBy(() -> connect("redis://secret@127.0.0.1"))
                .hasMessageContainingAll(
                        "user without a password", "redis://user:password@host:6379", "redis://:password@host");
        connect("redis://:secret@127.0.0.1", "redis://user:secret@localhost");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "redis-cluster://user:secret@[::1]:6379",
                "redis-cluster://user:secret@[::1],[fe80::1%eth0]:7000,a",
                "redis-sentinel://[::1]:26379,[::2]#name",
                "redis://user:secret@my_host:6379/3"
            })
    void connect_hostsWithColonsAndUnderscores_areAccepted(String address) {
        connect(address);

        assertThat(client.names).singleElement().asString().startsWith(address.replace("user:secret@", ""));
    }

    /** Each password begins with a marker and contains another behind a character that has a meaning in addresses. */
    @Test
    @Tag("evidence")
    void connect_randomAddresses_neverShowAPassword() {
        int refused = 0;
        for (int i = 0; i < ADDRESSES; i++) {
            String address = randomAddress();
            try {
                connect(address);
            } catch (IllegalArgumentException e) {
                refused++;
                assertThat(String.valueOf(e.getMessage()))
                        .as("seed %s, address %s: %s", SEED, i, address)
                        .doesNotContainIgnoringCase("geheim", "sesam");
            }
        }
        assertThat(client.names).noneMatch(name -> name.contains("geheim") || name.contains("sesam"));
        assertThat(refused).isBetween(ADDRESSES / 2, ADDRESSES - 1);
    }

    private String randomAddress() {
        String secret = "geheim" + special() + "sesam" + special();
        String user = random.nextBoolean() ? "user" : "";
        String tail = random.nextInt(4) == 0 ? "/3" : random.nextInt(4) == 0 ? "?locks=scripts" : "";
        return any(SCHEMES) + any(SEPARATORS) + user + ":" + secret + "@" + any(HOSTS) + tail;
    }

    private String special() {
        return random.nextInt(3) == 0
                ? ""
                : String.valueOf(SPECIAL.charAt(random.nextInt(SPECIAL.length()))) + (random.nextBoolean() ? "7" : "");
    }

    private <T> T any(List<T> list) {
        return list.get(random.nextInt(list.size()));
    }

    private void connect(String... addresses) {
        Holdfast.connect(List.of(addresses), HoldfastOptions.DEFAULT, client).close();
    }
}

package io.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.servers.RedisServerOptions;
import io.holdfast.servers.RedisServers;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * Passwords in addresses of all forms. A password begins with a mark and contains another one, behind a character that
 * has a meaning in addresses.
 */
@Tag("process")
@Isolated("replaces stdout and stderr of this process")
class SecretAddressTest {

    private static final int ADDRESSES = 10_000;
    private static final int PROCESSES = 20;
    private static final long SEED = Long.getLong("holdfast.seed", 42);
    private static final List<String> SCHEMES =
            List.of("redis", "rediss", "redis-sentinel", "redis-cluster", "REDIS", "redi s", "http", "");
    private static final List<String> SEPARATORS = List.of(":/", ":", "//", "/", "", ":///");
    private static final String SPECIAL = "#?/@:%[]\\ ^|,;&=+$!'\"<>{}`~*()\u00fc";
    private static final List<String> HOSTS = List.of("h", "127.0.0.1", "[::1]", "a,b");
    private static final List<String> WRONG_HOSTS = List.of("h:99999", "h t", "h:12x", "", "-", "h:1/x", "h:1#x");
    private static final String[] MARKS = {"zqxgeheim", "zqxsesam"};

    @TempDir
    private Path directory;

    private final Random random = new Random(SEED);

    /** Returns an address that no client can connect to. */
    private String address() {
        String secret = MARKS[0] + special() + MARKS[1] + special();
        String user = random.nextBoolean() ? "user" : "";
        return random.nextBoolean()
                ? any(SCHEMES) + any(SEPARATORS) + user + ":" + secret + "@" + any(HOSTS)
                : "redis://" + user + ":" + secret + "@" + any(WRONG_HOSTS);
    }

    private String special() {
        return random.nextInt(3) == 0 ? "" : String.valueOf(SPECIAL.charAt(random.nextInt(SPECIAL.length())));
    }

    private <T> T any(List<T> list) {
        return list.get(random.nextInt(list.size()));
    }

    @Test
    void command_malformedAddresses_printNoSecret() {
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        PrintStream out = System.out;
        PrintStream err = System.err;
        PrintStream both = new PrintStream(printed, true, StandardCharsets.UTF_8);
        try {
            System.setOut(both);
            System.setErr(both);
            for (int i = 0; i < ADDRESSES; i++) {
                String address = address();
                both.println("address " + i);
                int code = Main.execute("list", "--nodes", address);
                assertThat(code).as("seed %s, address %s: %s", SEED, i, address).isEqualTo(64);
                Main.execute("config", "check", "--nodes", address);
            }
        } finally {
            System.setOut(out);
            System.setErr(err);
        }
        assertThat(printed.toString(StandardCharsets.UTF_8).lines())
                .as("seed %s", SEED)
                .hasSizeGreaterThan(ADDRESSES)
                .filteredOn(line -> line.toLowerCase(Locale.ROOT).contains(MARKS[0])
                        || line.toLowerCase(Locale.ROOT).contains(MARKS[1]))
                .isEmpty();
    }

    /** The addresses are in the environment, so that no other user sees them; they must not reach a command line. */
    @Test
    @Tag("evidence")
    void process_malformedAddresses_showNoSecretInPs() throws IOException {
        for (int i = 0; i < PROCESSES; i++) {
            String address = address();
            PackagedCommand.Running running = new PackagedCommand(directory)
                    .with("HOLDFAST_NODES", address)
                    .start("run", "x", "-n", "--", "true");
            while (running.process().isAlive()) {
                assertThat(commandLines()).doesNotContain(MARKS);
            }
            PackagedCommand.Result result = running.end();
            assertThat(result.code()).as("%s: %s", address, result).isEqualTo(64);
            assertThat(result.err() + result.out()).doesNotContain(MARKS);
        }
    }

    @Test
    void process_passwordOfTheServers_isNotInPs() throws IOException {
        try (RedisServers servers = RedisServers.start(3, RedisServerOptions.DEFAULT.withPassword(MARKS[0]))) {
            PackagedCommand.Running holder = new PackagedCommand(directory)
                    .with("HOLDFAST_NODES", String.join(",", servers.addresses()))
                    .start("run", "secret", "-v", "--", "sh", "-c", "touch held; exec sleep 1000");
            while (!Files.exists(directory.resolve("held")) && holder.process().isAlive()) {
                assertThat(commandLines()).doesNotContain(MARKS);
            }
            assertThat(commandLines()).doesNotContain(MARKS).contains("sleep");
            holder.process().destroy();
            assertThat(holder.end().err()).doesNotContain(MARKS);
        }
    }

    private static String commandLines() throws IOException {
        StringBuilder lines = new StringBuilder();
        for (ProcessHandle process : ProcessHandle.allProcesses().toList()) {
            try {
                lines.append(Files.readString(
                                Path.of("/proc/" + process.pid() + "/cmdline"), StandardCharsets.ISO_8859_1))
                        .append('\n');
            } catch (IOException ended) {
                // It has no command line any more.
            }
        }
        return lines.toString();
    }
}

package io.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.cli.option.ConfigFile;
import io.holdfast.cli.option.NodesOptions;
import io.holdfast.testkit.hostile.FuzzSeeds;
import io.holdfast.testkit.hostile.HostileValues;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceLock;

/** Configuration files and variables with any content. */
@Tag("process")
@Tag("slow")
@Execution(ExecutionMode.CONCURRENT)
@ResourceLock("hostileConfiguration")
class HostileConfigurationTest {

    private static final List<String> KEYS =
            List.of("nodes", "user", "password-file", "ca", "max-lease", "restarts", "other", "", "#", "!");
    private static final List<String> SEPARATORS = List.of("=", ":", " = ", " ", "", "\\\n=");
    private static final List<String> VALUES = List.of(
            "redis://:geheim@127.0.0.1:1",
            "redis://geheim@[::1]:99999",
            "redis-sentinel://a,b,:geheim@c#name",
            "/dev/null",
            "/",
            "/nowhere",
            "\\u0000",
            "\\u001b[2J",
            "\\uzzzz",
            "1m",
            "999999999d999999999d",
            "-1s",
            "1e9s",
            "quarantine",
            "durable",
            "");
    private static final int SEEDS = Boolean.getBoolean("holdfast.evidence") ? 25 : 8;
    private static final List<Integer> CODES = List.of(0, 64);

    @TempDir
    private Path directory;

    @Test
    void configCheck_anyFileAndVariables_exits0Or64WithOneLineAndNoPassword() {
        FuzzSeeds.run("configuration", SEEDS, seed -> {
            Random random = new Random(seed);
            HostileValues values = new HostileValues(random);
            PackagedCommand.Result result = new PackagedCommand(directory)
                    .with(ConfigFile.VARIABLE, file(content(random, values)).toString())
                    .with(NodesOptions.VARIABLE, random.nextBoolean() ? "" : variable(random, values))
                    .with("HOLDFAST_PASSWORD", random.nextBoolean() ? "" : "geheim" + variable(random, values))
                    .run("config", "check");

            assertThat(CODES).as(result.err()).contains(result.code());
            assertThat(result.err()
                            .lines()
                            .filter(line -> !line.startsWith("holdfast: warning"))
                            .count())
                    .as(result.err())
                    .isEqualTo(result.code() == 0 ? 0 : 1);
            assertThat(result.out() + result.err()).doesNotContain("geheim", "internal error", "java.");
            assertThat((result.out() + result.err())
                            .chars()
                            .filter(c -> c != '\n' && Character.isISOControl(c))
                            .count())
                    .as("control characters in: " + result.out() + result.err())
                    .isZero();
        });
    }

    /** An address in the place of another value is printed without its password. */
    @Test
    void configCheck_addressIsGivenAsADuration_namesItWithoutThePassword() throws IOException {
        assertThat(messageAbout("max-lease=redis://:geheim@127.0.0.1:1\n"))
                .contains("'redis://...@127.0.0.1:1' is not a duration")
                .doesNotContain("geheim");
    }

    @Test
    void configCheck_certificatesAreADirectory_saysSo() throws IOException {
        assertThat(messageAbout("nodes=rediss://127.0.0.1:1\nca=/\n"))
                .contains("the file of certificates / cannot be read: it is a directory")
                .doesNotContain("java.");
    }

    /** Returns the message of the command about a wrong configuration. */
    private String messageAbout(String content) throws IOException {
        PackagedCommand.Result result = new PackagedCommand(directory)
                .with(
                        ConfigFile.VARIABLE,
                        file(content.getBytes(StandardCharsets.UTF_8)).toString())
                .run("config", "check");

        assertThat(result.code()).isEqualTo(64);
        return result.err();
    }

    private Path file(byte[] content) throws IOException {
        Path file = Files.write(directory.resolve("config"), content);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        return file;
    }

    private static byte[] content(Random random, HostileValues values) {
        if (random.nextInt(8) == 0) {
            byte[] bytes = new byte[random.nextInt(500)];
            random.nextBytes(bytes);
            return bytes;
        }
        StringBuilder content = new StringBuilder();
        for (int i = random.nextInt(6); i > 0; i--) {
            content.append(one(random, random.nextInt(4) == 0 ? KEYS : KEYS.subList(0, 6)))
                    .append(one(random, SEPARATORS))
                    .append(random.nextInt(4) == 0 ? values.text(30) : one(random, VALUES))
                    .append('\n');
        }
        return content.toString().getBytes(StandardCharsets.UTF_8);
    }

    /** Returns a text that a variable of a process may contain. */
    private static String variable(Random random, HostileValues values) {
        return (random.nextBoolean() ? one(random, VALUES) : values.text(30)).replace("\0", "");
    }

    private static String one(Random random, List<String> all) {
        return all.get(random.nextInt(all.size()));
    }
}

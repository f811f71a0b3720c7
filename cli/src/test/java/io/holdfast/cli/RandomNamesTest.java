package io.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.servers.RedisServers;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Random names of locks in several locales. {@link TransparencyTest} has random arguments of a command. */
@Tag("process")
@Tag("evidence")
@Tag("nightly")
@Execution(ExecutionMode.CONCURRENT)
class RandomNamesTest {

    private static final int NAMES = 3_000;
    private static final int RUNS = 15;
    private static final int LONGEST_NAME = 20;
    private static final long SEED = Long.getLong("holdfast.seed", 42);
    private static final Pattern NAME = Pattern.compile("^\\{\"resource\":\"((?:[^\"\\\\]|\\\\.)*)\"");
    private static final Pattern ESCAPE = Pattern.compile("\\\\(u([0-9a-f]{4})|.)");

    @AutoClose
    private static final RedisServers servers = RedisServers.start(3);

    @TempDir
    private Path directory;

    private static List<String> names(int count) {
        Random random = new Random(SEED);
        List<String> names = new ArrayList<>();
        while (names.size() < count) {
            String name = random.ints(0, Character.MAX_CODE_POINT + 1)
                    .map(point -> random.nextBoolean() ? point : point % 0x250)
                    .filter(point -> Character.isDefined(point) && !Character.isISOControl(point))
                    .filter(point -> point < Character.MIN_SURROGATE || point > Character.MAX_SURROGATE)
                    .filter(point -> point != 0xFFFD)
                    .limit(1 + random.nextInt(LONGEST_NAME))
                    .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                    .toString();
            // A name that begins with a dash would be an option of `run`.
            if (!name.isBlank() && !name.startsWith("-")) {
                names.add(name);
            }
        }
        return names;
    }

    private Path file(List<String> names) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (String name : names) {
            bytes.write(name.getBytes(StandardCharsets.UTF_8));
            bytes.write(0);
        }
        return Files.write(directory.resolve("names"), bytes.toByteArray());
    }

    @ParameterizedTest
    @Execution(ExecutionMode.SAME_THREAD)
    @ValueSource(strings = {"C", "C.UTF-8", "xx_XX.nowhere"})
    void watch_randomNamesInAnyLocale_readsThemUnchanged(String locale) throws IOException {
        List<String> names = names(NAMES);
        file(names);

        PackagedCommand.Running watch = PackagedCommand.on(directory, servers)
                .with("LC_ALL", locale)
                .start(List.of(
                        "xargs",
                        "-0",
                        "-a",
                        "names",
                        "-s",
                        "1000000",
                        PackagedCommand.LAUNCHER,
                        "watch",
                        "--count",
                        "1",
                        "--json",
                        "--"));
        List<String> printed = watch.endWithin(Duration.ofMinutes(10))
                .out()
                .lines()
                .map(RandomNamesTest::name)
                .toList();

        assertThat(printed).as("seed %s", SEED).isEqualTo(names);
    }

    @ParameterizedTest
    @Execution(ExecutionMode.SAME_THREAD)
    @ValueSource(strings = {"C", "C.UTF-8", "xx_XX.nowhere"})
    void run_randomNamesInAnyLocale_passesThemToTheCommand(String locale) throws IOException {
        Path file = file(names(RUNS));

        PackagedCommand.Running runs = PackagedCommand.on(directory, servers)
                .with("LC_ALL", locale)
                .start(List.of(
                        "xargs",
                        "-0",
                        "-a",
                        "names",
                        "-I",
                        "{}",
                        PackagedCommand.LAUNCHER,
                        "run",
                        "-n",
                        "{}",
                        "--",
                        "sh",
                        "-c",
                        "printf '%s\\0' \"$HOLDFAST_RESOURCE\" >>printed"));
        PackagedCommand.Result result = runs.endWithin(Duration.ofMinutes(10));

        assertThat(result).isEqualTo(new PackagedCommand.Result(0, "", ""));
        assertThat(directory.resolve("printed")).hasSameBinaryContentAs(file);
    }

    /** Returns the name in a line of JSON. */
    private static String name(String line) {
        Matcher name = NAME.matcher(line);
        assertThat(name.find()).as(line).isTrue();
        return ESCAPE.matcher(name.group(1))
                .replaceAll(escape -> Matcher.quoteReplacement(
                        escape.group(2) == null
                                ? escape.group(1)
                                : String.valueOf((char) Integer.parseInt(escape.group(2), 16))));
    }
}

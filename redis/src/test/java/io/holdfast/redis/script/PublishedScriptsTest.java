package io.holdfast.redis.script;

import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lease.ClientDescription;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The scripts that clients in other languages send are those of this client, with the constants in their places. */
class PublishedScriptsTest {

    private static final Path SOURCES = Path.of("src/main/resources/io/holdfast/redis/script");
    private static final Path PUBLISHED = Path.of("protocol", Integer.toString(ClientDescription.PROTOCOL));
    private static final Path PRESENT = Path.of("target/protocol");
    private static final Pattern CONSTANT = Pattern.compile("(?m)^-- @constant (\\S+)\\n");

    private static Map<String, String> present() throws IOException {
        Map<String, String> scripts = files(SOURCES);
        scripts.replaceAll((name, text) -> withConstants(text));
        return scripts;
    }

    private static String withConstants(String text) {
        return CONSTANT.matcher(text)
                .replaceAll(line -> Matcher.quoteReplacement(
                        ScriptConstant.valueOf(line.group(1)).declaration()));
    }

    private static Map<String, String> files(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            return files.filter(file -> file.toString().endsWith(".lua"))
                    .collect(toMap(
                            file -> directory.relativize(file).toString(),
                            PublishedScriptsTest::text,
                            (one, other) -> one,
                            TreeMap::new));
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void write(Map<String, String> scripts) throws IOException {
        for (Map.Entry<String, String> script : scripts.entrySet()) {
            Path file = PRESENT.resolve(script.getKey());
            Files.createDirectories(file.getParent());
            Files.writeString(file, script.getValue());
        }
    }

    /** Scripts that were released never change: what follows is another version of the protocol, with a folder. */
    @Test
    void published_scripts_areThoseOfThisClient() throws IOException {
        Map<String, String> present = present();
        write(present);

        assertThat(present).hasSizeGreaterThan(30);
        assertThat(files(PUBLISHED))
                .as("copy redis/%s to redis/%s, or to a new folder if that was released", PRESENT, PUBLISHED)
                .isEqualTo(present);
    }
}

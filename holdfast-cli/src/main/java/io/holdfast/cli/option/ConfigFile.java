package io.holdfast.cli.option;

import io.holdfast.cli.ExitCode;
import io.holdfast.cli.Failure;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/** What is said once for all commands of a user or a machine, and overruled by the environment and by options. */
public final class ConfigFile {

    /** Names the file, before those that are looked for. */
    public static final String VARIABLE = "HOLDFAST_CONFIG";

    private static final Set<String> KEYS =
            new TreeSet<>(Set.of("nodes", "user", "password-file", "ca", "max-lease", "restarts"));

    private final Properties entries;

    private ConfigFile(Properties entries) {
        this.entries = entries;
    }

    /** The first that there is: the one that is named, the user's, the machine's; or one that says nothing. */
    public static ConfigFile find(Map<String, String> environment) {
        String named = environment.getOrDefault(VARIABLE, "");
        if (!named.isEmpty()) {
            return read(Path.of(named));
        }
        String home = System.getProperty("user.home");
        Path config = Path.of(environment.getOrDefault("XDG_CONFIG_HOME", home + "/.config"));
        return Stream.of(config.resolve("holdfast/config"), Path.of("/etc/holdfast/config"))
                .filter(Files::isRegularFile)
                .findFirst()
                .map(ConfigFile::read)
                .orElseGet(() -> new ConfigFile(new Properties()));
    }

    private static ConfigFile read(Path file) {
        Properties entries = new Properties();
        try (Reader in = Files.newBufferedReader(file)) {
            entries.load(in);
        } catch (IOException | IllegalArgumentException e) {
            throw new Failure(ExitCode.USAGE, "the configuration file " + file + " cannot be read: " + e.getMessage());
        }
        entries.stringPropertyNames().stream()
                .filter(key -> !KEYS.contains(key))
                .findFirst()
                .ifPresent(key -> {
                    throw new Failure(
                            ExitCode.USAGE,
                            "the configuration file " + file + " says '" + key + "', which is none of " + KEYS
                                    + "; correct it, or take it out");
                });
        return new ConfigFile(entries);
    }

    Optional<String> get(String key) {
        return Optional.ofNullable(entries.getProperty(key)).map(String::strip).filter(value -> !value.isEmpty());
    }
}

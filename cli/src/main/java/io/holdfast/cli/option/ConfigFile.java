package io.holdfast.cli.option;

import io.holdfast.cli.exit.ExitCode;
import io.holdfast.cli.exit.Failure;
import io.holdfast.cli.file.InputFile;
import io.holdfast.cli.file.SecretFile;
import io.holdfast.cli.file.Unreadable;
import io.holdfast.cli.output.FileFailure;
import io.holdfast.cli.output.Terminal;
import io.holdfast.cli.syntax.CommandOption;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The configuration file of a user or a machine. The environment and options take precedence over it. */
public final class ConfigFile {

    /** The variable that names the file; if it is set, no other file is read. */
    public static final String VARIABLE = "HOLDFAST_CONFIG";

    /** The reason of the system if a part of a path is a file, so that nothing can be below. */
    private static final String NO_DIRECTORY = "Not a directory";

    private final @Nullable Path file;
    private final Properties entries;

    private ConfigFile(@Nullable Path file, Properties entries) {
        this.file = file;
        this.entries = entries;
    }

    /**
     * Returns the first file that exists: the named one, the user's or the machine's; if none exists, an empty one.
     *
     * @param options those that a file may contain
     */
    static ConfigFile find(Map<String, String> environment, List<CommandOption> options) {
        String named = environment.getOrDefault(VARIABLE, "");
        if (!named.isEmpty()) {
            return read(Path.of(named), options);
        }
        for (Path candidate : candidates(environment)) {
            if (exists(candidate)) {
                return read(candidate, options);
            }
        }
        return new ConfigFile(null, new Properties());
    }

    /** Java says `?` of the home directory of a user that the system does not know: this user has no file. */
    private static List<Path> candidates(Map<String, String> environment) {
        Path machine = Path.of("/etc/holdfast/config");
        Optional<String> home = nonEmpty(environment, "HOME")
                .or(() -> Optional.of(System.getProperty("user.home"))
                        .filter(known -> Path.of(known).isAbsolute()));
        return nonEmpty(environment, "XDG_CONFIG_HOME")
                .or(() -> home.map(known -> known + "/.config"))
                .map(config -> List.of(Path.of(config, "holdfast/config"), machine))
                .orElse(List.of(machine));
    }

    /** Fails if it is unknown whether the file exists: another one may name other servers, with other locks. */
    private static boolean exists(Path candidate) {
        try {
            Files.readAttributes(candidate, BasicFileAttributes.class);
            return true;
        } catch (NoSuchFileException e) {
            // A link whose target is missing is a file that its owner wants to be read.
            return Files.isSymbolicLink(candidate);
        } catch (IOException e) {
            if (e instanceof FileSystemException system && NO_DIRECTORY.equals(system.getReason())) {
                return false;
            }
            throw new Failure(
                    ExitCode.USAGE,
                    "the configuration file " + candidate + " cannot be read: " + FileFailure.reason(e)
                            + "; correct that, or name another file by " + VARIABLE);
        }
    }

    private static Optional<String> nonEmpty(Map<String, String> environment, String name) {
        return Optional.ofNullable(environment.get(name)).filter(value -> !value.isEmpty());
    }

    /** Entries that differ in their names: of two lists of servers, one would be ignored. */
    private static final class UniqueEntries extends Properties {

        private static final long serialVersionUID = 1L;

        @Override
        public synchronized @Nullable Object put(Object key, Object value) {
            if (containsKey(key)) {
                throw new IllegalArgumentException("it contains '" + key + "' twice");
            }
            return super.put(key, value);
        }
    }

    /** Returns the text without the mark that some editors write before UTF-8. */
    private static String withoutMark(String text) {
        return text.startsWith("\uFEFF") ? text.substring(1) : text;
    }

    private static ConfigFile read(Path file, List<CommandOption> options) {
        Properties entries = new UniqueEntries();
        try {
            entries.load(new StringReader(withoutMark(InputFile.textOfFile(file))));
        } catch (IOException e) {
            throw Unreadable.of("the configuration file " + file, e);
        } catch (IllegalArgumentException e) {
            throw new Failure(
                    ExitCode.USAGE,
                    "the configuration file " + file + " cannot be read: "
                            + String.valueOf(e.getMessage()).replaceFirst("\\.$", "") + "; correct that");
        }
        Set<String> keys = options.stream().map(CommandOption::key).collect(Collectors.toCollection(TreeSet::new));
        entries.stringPropertyNames().stream()
                .filter(key -> !keys.contains(key))
                .findFirst()
                .ifPresent(key -> {
                    throw new Failure(
                            ExitCode.USAGE,
                            "the configuration file " + file + " contains '" + key + "', which is none of " + keys
                                    + "; correct or remove it");
                });
        return new ConfigFile(file, entries);
    }

    /** Checks the permissions of the file if it contains a password. */
    void checkPermissions(Terminal terminal) {
        if (file != null && get("nodes").orElse("").contains("@")) {
            SecretFile.check("the configuration file", "the password", file, terminal);
        }
    }

    /** Returns the file that was read; empty if there is none. */
    Optional<Path> path() {
        return Optional.ofNullable(file);
    }

    Optional<String> get(String key) {
        return Optional.ofNullable(entries.getProperty(key)).map(String::strip).filter(value -> !value.isEmpty());
    }
}

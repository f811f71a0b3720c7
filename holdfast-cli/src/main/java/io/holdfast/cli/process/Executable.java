package io.holdfast.cli.process;

import io.holdfast.cli.exit.ExitCode;
import io.holdfast.cli.exit.Failure;
import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The program that the user wants to run. The launcher has found it before. */
public final class Executable {

    /** The system property with an exit code and a reason, if the launcher has found that the program cannot be run. */
    private static final String PROPERTY = "holdfast.unrunnable";

    private static final String MARK = "#!";
    private static final int LONGEST_LINE = 256;

    private Executable() {}

    /** Fails as a shell does if the program cannot be run. */
    public static void requireRunnable(String name) {
        String refusal = System.getProperty(PROPERTY, "");
        if (!refusal.isEmpty()) {
            int code = refusal.indexOf(' ');
            throw new Failure(Integer.parseInt(refusal.substring(0, code)), refusal.substring(code + 1));
        }
        requireInterpreter(name);
    }

    /** Fails if the program is a script and its interpreter does not exist. */
    private static void requireInterpreter(String name) {
        Path program = find(name);
        String interpreter = program == null ? "" : interpreter(program);
        if (!interpreter.isEmpty() && !Files.exists(Path.of(interpreter))) {
            throw new Failure(
                    ExitCode.NOT_FOUND,
                    "'" + name + "' cannot be run: its interpreter " + interpreter + " does not exist");
        }
    }

    /** Returns the file that runs under this name, on the PATH if the name is no path; null if there is none. */
    public static @Nullable Path find(String name) {
        for (Path candidate : candidates(name)) {
            if (Files.isExecutable(candidate)) {
                return candidate;
            }
        }
        return null;
    }

    private static List<Path> candidates(String name) {
        try {
            if (name.contains("/")) {
                return List.of(Path.of(name));
            }
            String path = System.getenv().getOrDefault("PATH", "/usr/bin:/bin");
            return Arrays.stream(path.split(File.pathSeparator))
                    .map(directory -> Path.of(directory, name))
                    .toList();
        } catch (InvalidPathException undecodable) {
            return List.of();
        }
    }

    /** Returns the first word after the mark of a script; empty for other files. */
    private static String interpreter(Path file) {
        try (InputStream in = new FileInputStream(file.toFile())) {
            String start = new String(in.readNBytes(LONGEST_LINE), StandardCharsets.UTF_8);
            return start.startsWith(MARK)
                    ? start.substring(MARK.length())
                            .lines()
                            .findFirst()
                            .orElse("")
                            .strip()
                            .split("\\s", 2)[0]
                    : "";
        } catch (IOException unreadable) {
            return "";
        }
    }
}

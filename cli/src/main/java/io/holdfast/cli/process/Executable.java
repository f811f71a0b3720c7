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
        String line = program == null ? "" : interpreterLine(program);
        if (endsWithReturn(line)) {
            throw new Failure(
                    ExitCode.NOT_FOUND,
                    "'" + name + "' cannot be run: its lines end with CR LF, as on Windows, and the system takes the CR"
                            + " for a part of the interpreter's name; convert it: sed -i 's/\\r$//' " + program);
        }
        String interpreter = line.strip().split("\\s", 2)[0];
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

    /**
     * Returns whether a CR would belong to the name of the interpreter, or of the program that {@code env} looks for.
     */
    private static boolean endsWithReturn(String line) {
        List<String> words = List.of(line.stripLeading().split("[ \\t]+"));
        boolean isEnv = words.get(0).endsWith("/env");
        return words.get(words.size() - 1).endsWith("\r") && (words.size() == 1 || isEnv);
    }

    /** Returns what follows the mark in the first line of a script; empty for other files. */
    private static String interpreterLine(Path file) {
        try (InputStream in = new FileInputStream(file.toFile())) {
            String start = new String(in.readNBytes(LONGEST_LINE), StandardCharsets.UTF_8);
            return start.startsWith(MARK) ? start.substring(MARK.length()).split("\n", 2)[0] : "";
        } catch (IOException unreadable) {
            return "";
        }
    }
}

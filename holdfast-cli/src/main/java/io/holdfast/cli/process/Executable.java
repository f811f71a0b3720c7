package io.holdfast.cli.process;

import io.holdfast.cli.exit.ExitCode;
import io.holdfast.cli.exit.Failure;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The program that the user wants to run, searched for before the lock is acquired. */
public final class Executable {

    private Executable() {}

    /** Fails with the exit codes of a shell: 127 if there is no such program, 126 if it cannot be executed. */
    public static void require(String name, Map<String, String> environment) {
        List<Path> candidates = candidates(name, environment);
        if (candidates.stream().anyMatch(Executable::isExecutable)) {
            return;
        }
        if (candidates.stream().anyMatch(Files::exists)) {
            throw new Failure(
                    ExitCode.NOT_EXECUTABLE, "'" + name + "' is not an executable file; `chmod +x` makes a script one");
        }
        throw new Failure(
                ExitCode.NOT_FOUND,
                "'" + name + "' was not found" + (name.contains("/") ? "" : " on the PATH")
                        + "; a command line with pipes or quotes needs a shell: -- sh -c '…'");
    }

    /** Returns the file of the program, if it is on the PATH of this process. */
    static Optional<Path> find(String name) {
        return candidates(name, System.getenv()).stream()
                .filter(Executable::isExecutable)
                .findFirst();
    }

    private static List<Path> candidates(String name, Map<String, String> environment) {
        if (name.contains("/")) {
            return List.of(Path.of(name));
        }
        String path = environment.getOrDefault("PATH", "/usr/bin:/bin");
        return Arrays.stream(path.split(File.pathSeparator))
                .map(directory -> Path.of(directory, name))
                .toList();
    }

    private static boolean isExecutable(Path file) {
        return Files.isRegularFile(file) && Files.isExecutable(file);
    }
}

package io.holdfast.documents;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;

/**
 * A directory in which a shell runs a block of a document. All programs in it only record their arguments. Another
 * program is not found, so the block fails.
 */
final class Sandbox {

    /** One write for each call, since calls may run beside each other. */
    private static final String RECORD = """
            #!/bin/sh
            printf '%s\\n' "${0##*/}" "$@" "$(printf '\\036')" >> 'CALLS'
            """;

    private static final String END_OF_CALL = "\u001e\n";

    private final Path directory;
    private final Path programs;
    private final Path calls;

    Sandbox(Path directory) throws IOException {
        this.directory = directory;
        this.programs = Files.createDirectory(directory.resolve("programs"));
        this.calls = Files.createFile(directory.resolve("calls"));
    }

    /** Adds a program that is found in the path. */
    Sandbox with(String... names) throws IOException {
        for (String name : names) {
            write(programs.resolve(name));
        }
        return this;
    }

    /** Adds a program at a path below the directory. */
    Sandbox withFile(String path) throws IOException {
        Path file = directory.resolve(path);
        Files.createDirectories(file.getParent());
        write(file);
        return this;
    }

    private void write(Path file) throws IOException {
        Files.writeString(file, RECORD.replace("CALLS", calls.toString()));
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
    }

    /**
     * Runs the block to its end. Returns what the shell prints on stderr, empty if every program was found and the
     * block is correct.
     */
    String run(String block) throws IOException, InterruptedException {
        Path errors = directory.resolve("errors");
        ProcessBuilder shell = new ProcessBuilder("/bin/sh", "-c", block + "\nwait\n")
                .directory(directory.toFile())
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(errors.toFile());
        shell.environment().clear();
        shell.environment().put("PATH", programs.toString());
        Process process = shell.start();
        process.getOutputStream().close();
        try {
            process.waitFor();
        } finally {
            process.destroyForcibly();
        }
        return Files.readString(errors, StandardCharsets.UTF_8);
    }

    /** Returns the calls in their order, each with the name of the program first. */
    List<List<String>> calls() throws IOException {
        List<List<String>> found = new ArrayList<>();
        for (String call : Files.readString(calls, StandardCharsets.UTF_8).split(END_OF_CALL, -1)) {
            if (!call.isEmpty()) {
                found.add(call.lines().toList());
            }
        }
        return found;
    }
}

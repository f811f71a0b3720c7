package io.holdfast.cli.process;

import io.holdfast.cli.exit.ExitCode;
import io.holdfast.cli.exit.Failure;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The user's command as a process group of its own, so that a signal also reaches the processes that it starts. The
 * command inherits stdin, stdout and stderr.
 */
public final class Child {

    private final Process process;
    private final boolean isGroup;

    private Child(Process process, boolean isGroup) {
        this.process = process;
        this.isGroup = isGroup;
    }

    public static Child start(List<String> command, Map<String, String> environment) {
        boolean isGroup = Executable.find("setsid").isPresent();
        List<String> commandLine = new ArrayList<>();
        if (isGroup) {
            commandLine.add("setsid");
        }
        if (Executable.find("setpriv").isPresent()) {
            // If Holdfast is killed, the lock is no longer renewed, so the command must end as well.
            commandLine.addAll(List.of("setpriv", "--pdeathsig", "TERM", "--"));
        }
        commandLine.addAll(command);
        try {
            ProcessBuilder builder = new ProcessBuilder(commandLine).inheritIO();
            builder.environment().putAll(environment);
            return new Child(builder.start(), isGroup);
        } catch (IOException e) {
            throw new Failure(ExitCode.NOT_EXECUTABLE, "'" + command.get(0) + "' cannot be run: " + e.getMessage());
        }
    }

    /** Waits until the command has ended, ignoring interrupts. Returns its exit code, or 128 + n after signal n. */
    public int join() {
        boolean interrupted = false;
        while (true) {
            try {
                int code = process.waitFor();
                if (interrupted) {
                    Thread.currentThread().interrupt();
                }
                return code;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
    }

    /** Sends a signal such as {@code TERM} to the whole group, which Java itself cannot do. */
    void signal(String name) {
        List<String> targets = new ArrayList<>();
        if (isGroup) {
            targets.add("-" + process.pid());
        } else {
            process.descendants().forEach(descendant -> targets.add(Long.toString(descendant.pid())));
            targets.add(Long.toString(process.pid()));
        }
        try {
            new ProcessBuilder("sh", "-c", "kill -s " + name + " -- " + String.join(" ", targets))
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .waitFor();
        } catch (IOException e) {
            process.destroyForcibly();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}

package io.holdfast.benchmarks.server;

import io.holdfast.testkit.LineLink;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A server in a temporary directory, run by a shell, which can kill it and start it again. When {@link #close} is
 * called or this process ends, even by SIGKILL, the shell kills the server and deletes the directory.
 */
final class ServerShell implements AutoCloseable {

    /** Does what a line says, and replies with a line. The directories are the data of etcd and of ZooKeeper. */
    private static final String SCRIPT = """
            trap '' HUP INT TERM
            directory="$1"
            shift
            cd "$directory" || exit 1
            run() { "$@" < /dev/null >> log 2>&1 & }
            run "$@"
            while read -r line; do
              case "$line" in
                kill) kill -KILL $!; wait $! 2> /dev/null ;;
                start) run "$@" ;;
                start-empty) rm -rf data version-2; run "$@" ;;
              esac
              echo done
            done
            kill -KILL $!
            wait $! 2> /dev/null
            rm -rf -- "$directory"
            """;

    private static final long END_SECONDS = 10;

    private final Process shell;
    private final LineLink link;

    private ServerShell(Process shell) {
        this.shell = shell;
        this.link = LineLink.to(shell);
    }

    /** Starts the command in the directory, which now belongs to the server. */
    static ServerShell start(Path directory, List<String> command) {
        List<String> all = new ArrayList<>(List.of("sh", "-c", SCRIPT, "server", directory.toString()));
        all.addAll(command);
        try {
            return new ServerShell(new ProcessBuilder(all)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start());
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot start " + command.get(0), e);
        }
    }

    /** Creates the temporary directory of a server. */
    static Path directory(String name) {
        try {
            return Files.createTempDirectory("holdfast-" + name + "-");
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot create the directory of " + name, e);
        }
    }

    /** Kills the server as a crash does. */
    void kill() {
        execute("kill");
    }

    /** Starts the server that was killed, with its data. */
    void start() {
        execute("start");
    }

    /** Starts the server that was killed, without its data. */
    void startEmpty() {
        execute("start-empty");
    }

    private void execute(String command) {
        try {
            link.send(command);
        } catch (IOException e) {
            throw new UncheckedIOException("The shell of a server has ended", e);
        }
    }

    @Override
    public void close() {
        try {
            link.close();
            shell.waitFor(END_SECONDS, TimeUnit.SECONDS);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}

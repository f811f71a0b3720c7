package io.holdfast.servers;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A shell that waits for the end of this process. If it was killed, so that no {@link ProcessCleanup} ran, the shell
 * kills the servers of its temporary directories and deletes the directories. The id of a server that has ended may be
 * that of another program by then, which is left alone.
 */
final class OrphanCleanup {

    /** Reads one directory per line. A directory that was closed is gone, and the rest of this process with it. */
    private static final String SCRIPT = """
            trap '' HUP INT TERM
            while IFS= read -r directory; do set -- "$@" "$directory"; done
            for directory; do
              if [ -s "$directory/data/redis.pid" ]; then
                pid="$(cat "$directory/data/redis.pid")"
                case "$(cat "/proc/$pid/cmdline" || ps -o args= -p "$pid")" in
                *redis*|*valkey*) kill -KILL "$pid" ;;
                esac
              fi
              rm -rf -- "$directory"
            done
            """;

    private static @Nullable OutputStream shell;

    private OrphanCleanup() {}

    /** Adds a temporary directory, whose server writes its process id into {@code data/redis.pid}. */
    static synchronized void add(Path directory) {
        try {
            OutputStream input = shell == null ? start() : shell;
            shell = input;
            input.write((directory + "\n").getBytes(StandardCharsets.UTF_8));
            input.flush();
        } catch (IOException noShell) {
            System.getLogger(OrphanCleanup.class.getName()).log(System.Logger.Level.DEBUG, "No cleanup", noShell);
        }
    }

    private static OutputStream start() throws IOException {
        return new ProcessBuilder("sh", "-c", SCRIPT)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start()
                .getOutputStream();
    }
}

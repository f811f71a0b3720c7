package io.holdfast.servers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A program that starts a server, freezes it, and ends without closing it; with a second argument, by a signal that it
 * cannot catch.
 */
final class LeavesAServer {

    private LeavesAServer() {}

    private static Object dataDirectory(RedisServer server) {
        return server.exec("CONFIG", "GET", "dir") instanceof List<?> setting ? setting.get(1) : "";
    }

    public static void main(String[] arguments) throws IOException, InterruptedException {
        RedisServer server = RedisServer.start();
        Files.writeString(Path.of(arguments[0]), server.pid() + "\n" + dataDirectory(server));
        server.freeze();
        if (arguments.length > 1) {
            new ProcessBuilder(
                            "kill",
                            "-KILL",
                            Long.toString(ProcessHandle.current().pid()))
                    .start()
                    .waitFor();
        }
    }
}

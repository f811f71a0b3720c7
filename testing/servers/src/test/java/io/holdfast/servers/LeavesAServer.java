package io.holdfast.servers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A program that starts a server, freezes it, and ends without closing it; with a second argument, by a signal that it
 * cannot catch. If that is a number, the server has written it as its process id.
 */
final class LeavesAServer {

    private LeavesAServer() {}

    private static Object dataDirectory(RedisServer server) {
        return server.exec("CONFIG", "GET", "dir") instanceof List<?> setting ? setting.get(1) : "";
    }

    public static void main(String[] arguments) throws IOException, InterruptedException {
        RedisServer server = RedisServer.start();
        Object dataDirectory = dataDirectory(server);
        Files.writeString(Path.of(arguments[0]), server.pid() + "\n" + dataDirectory);
        server.freeze();
        if (arguments.length > 1) {
            if (arguments[1].matches("\\d+")) {
                Files.writeString(Path.of(String.valueOf(dataDirectory), "redis.pid"), arguments[1]);
            }
            new ProcessBuilder(
                            "kill",
                            "-KILL",
                            Long.toString(ProcessHandle.current().pid()))
                    .start()
                    .waitFor();
        }
    }
}

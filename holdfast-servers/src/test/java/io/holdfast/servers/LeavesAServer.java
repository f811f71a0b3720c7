package io.holdfast.servers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A program that starts a server, freezes it, and ends without closing it. */
final class LeavesAServer {

    private LeavesAServer() {}

    public static void main(String[] arguments) throws IOException {
        RedisServer server = RedisServer.start();
        server.freeze();
        Files.writeString(Path.of(arguments[0]), Long.toString(server.pid()));
    }
}

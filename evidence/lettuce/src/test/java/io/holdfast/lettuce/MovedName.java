package io.holdfast.lettuce;

import io.holdfast.Holdfast;
import io.holdfast.HoldfastOptions;
import io.holdfast.Lease;
import io.holdfast.LockOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * A process whose node moves to another address under the same name, which its file of hosts says. It prints the
 * resource that it has locked in the end.
 */
final class MovedName {

    static final String NAME = "server.example";

    private MovedName() {}

    /** Arguments: the file of hosts, its new content, the port. */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        HoldfastOptions options =
                HoldfastOptions.builder().connectTimeout(Duration.ofMillis(100)).build();
        try (Holdfast holdfast =
                Holdfast.connect(List.of("redis://" + NAME + ":" + arguments[2]), options, new LettuceNodes())) {
            Files.writeString(Path.of(arguments[0]), arguments[1]);
            try (Lease lease = holdfast.lock("moved").acquire(LockOptions.FOREVER)) {
                System.out.println(lease.resource());
            }
        }
    }
}

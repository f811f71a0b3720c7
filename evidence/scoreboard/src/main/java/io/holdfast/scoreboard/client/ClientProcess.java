package io.holdfast.scoreboard.client;

import io.holdfast.scoreboard.contestant.Library;
import java.util.Arrays;
import java.util.List;

/** A process that counts under the lock until it is killed. */
public final class ClientProcess {

    private ClientProcess() {}

    /**
     * Runs a client. Arguments: its number, the port of the witness, the lease in ms, which programs in other languages
     * need, the library, and the addresses.
     */
    public static void main(String[] arguments) {
        List<String> uris = Arrays.asList(arguments).subList(4, arguments.length);
        try (CountingClient client =
                new CountingClient(Integer.parseInt(arguments[0]), Integer.parseInt(arguments[1]))) {
            client.run(Library.valueOf(arguments[3]).connect(uris));
        } catch (Exception e) {
            System.err.println("The client has ended: " + e);
        }
        // The witness has ended, or the library has failed. Its threads would run on.
        Runtime.getRuntime().halt(1);
    }
}

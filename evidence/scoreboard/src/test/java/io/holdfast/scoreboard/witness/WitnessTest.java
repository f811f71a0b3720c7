package io.holdfast.scoreboard.witness;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.scoreboard.witness.Event.Kind;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The counter and its history, over real connections. */
class WitnessTest {

    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private static final class Client implements AutoCloseable {

        private final Socket socket;
        private final BufferedReader answers;

        Client(Witness witness, int number) throws IOException {
            socket = new Socket(InetAddress.getLoopbackAddress(), witness.port());
            answers = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
            send("client " + number);
        }

        String send(String line) throws IOException {
            socket.getOutputStream().write((line + "\n").getBytes(StandardCharsets.US_ASCII));
            return answers.readLine();
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }

    private static List<Kind> kinds(Witness witness) {
        return witness.end().stream().map(Event::kind).toList();
    }

    @Test
    void write_smallerTokenThanBefore_isRefused() throws IOException {
        try (Witness witness = Witness.start(true, 1);
                Client old = new Client(witness, 0);
                Client next = new Client(witness, 1)) {
            old.send("got 7");
            next.send("got 8");
            next.send("write 1");
            old.send("write 1");

            assertThat(kinds(witness)).containsExactly(Kind.GOT, Kind.GOT, Kind.WROTE, Kind.REFUSED, Kind.ENDED);
        }
    }

    @Test
    void write_tokensAreNotChecked_isAccepted() throws IOException {
        try (Witness witness = Witness.start(false, 1);
                Client old = new Client(witness, 0);
                Client next = new Client(witness, 1)) {
            old.send("got 7");
            next.send("got 8");
            next.send("write 5");
            old.send("write 1");

            assertThat(old.send("read")).isEqualTo("1");
        }
    }

    @Test
    void lost_reportOfAnEarlierHold_isIgnored() throws IOException {
        try (Witness witness = Witness.start(false, 1);
                Client client = new Client(witness, 0)) {
            client.send("got -1");
            client.send("got -1");
            client.send("lost 0 1");

            assertThat(kinds(witness)).doesNotContain(Kind.LOST);
        }
    }

    @Test
    void lost_reportBeforeTheHold_isRecordedWithIt() throws IOException {
        try (Witness witness = Witness.start(false, 1);
                Client client = new Client(witness, 0)) {
            client.send("lost 0 1");
            client.send("got -1");

            assertThat(kinds(witness)).containsExactly(Kind.GOT, Kind.LOST, Kind.ENDED);
        }
    }

    @Test
    void end_connectionOfAClientEnds_itIsGone() throws IOException, InterruptedException {
        try (Witness witness = Witness.start(false, 1)) {
            new Client(witness, 0).close();

            assertThat(witness.await(0, event -> event.kind() == Kind.GONE, 1, PATIENCE))
                    .isTrue();
        }
    }
}

package io.holdfast.scoreboard.witness;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.scoreboard.witness.Event.Kind;
import io.holdfast.testkit.LineLink;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The counter and its history, over real connections. */
class WitnessTest {

    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private static LineLink client(Witness witness, int number) throws IOException {
        LineLink client = LineLink.to(witness.port());
        client.send("client " + number);
        return client;
    }

    private static List<Kind> kinds(Witness witness) {
        return witness.end().stream().map(Event::kind).toList();
    }

    @Test
    void write_smallerTokenThanBefore_isRefused() throws IOException {
        try (Witness witness = Witness.start(true, 1);
                LineLink old = client(witness, 0);
                LineLink next = client(witness, 1)) {
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
                LineLink old = client(witness, 0);
                LineLink next = client(witness, 1)) {
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
                LineLink client = client(witness, 0)) {
            client.send("got -1");
            client.send("got -1");
            client.send("lost 0 1");

            assertThat(kinds(witness)).doesNotContain(Kind.LOST);
        }
    }

    @Test
    void lost_reportBeforeTheHold_isRecordedWithIt() throws IOException {
        try (Witness witness = Witness.start(false, 1);
                LineLink client = client(witness, 0)) {
            client.send("lost 0 1");
            client.send("got -1");

            assertThat(kinds(witness)).containsExactly(Kind.GOT, Kind.LOST, Kind.ENDED);
        }
    }

    @Test
    void end_connectionOfAClientEnds_itIsGone() throws IOException, InterruptedException {
        try (Witness witness = Witness.start(false, 1)) {
            client(witness, 0).close();

            assertThat(witness.await(0, event -> event.kind() == Kind.GONE, 1, PATIENCE))
                    .isTrue();
        }
    }
}

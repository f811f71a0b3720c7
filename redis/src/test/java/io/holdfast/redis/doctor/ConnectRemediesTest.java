package io.holdfast.redis.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.redis.client.ConnectFailure;
import io.holdfast.redis.client.ConnectFailures;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ConnectRemediesTest {

    static Stream<ConnectFailure> ended() {
        return Stream.of(ConnectFailures.endedAtOnce(), ConnectFailures.overTls(ConnectFailures.endedAtOnce()));
    }

    /** A proxy whose server is down ends a connection as a server does that wants a certificate. */
    @ParameterizedTest
    @MethodSource("ended")
    void of_connectionThatHasEnded_beginsWithTheServer(ConnectFailure failure) {
        assertThat(ConnectRemedies.of(failure.cause())).startsWith("check whether a server runs there");
    }
}

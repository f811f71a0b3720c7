package io.holdfast.redis.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.node.ProcessLimit;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConnectFailuresTest {

    /** A server that ends the handshake may be starting; one that answers without TLS will never speak it. */
    @ParameterizedTest
    @CsvSource({
        "Unsupported or unrecognized SSL message, true",
        "not an SSL/TLS record: 2d455252, true",
        "Remote host terminated the handshake, false"
    })
    void explain_failedHandshake_lastsIfTheServerSpeaksNoTls(String message, boolean isLasting) {
        ConnectFailure failure = ConnectFailures.explain(new SSLException(message), cause -> null);

        assertThat(failure.lasting()).isEqualTo(isLasting);
        assertThat(failure.cause()).contains("write redis:// if it speaks none");
    }

    @ParameterizedTest
    @CsvSource({
        "PKIX path building failed, give the certificate of the authority",
        "NotAfter: yesterday, renew it",
        "No name matching a found, write a name that it contains"
    })
    void explain_wrongCertificate_lasts(String message, String remedy) {
        ConnectFailure failure = ConnectFailures.explain(new SSLHandshakeException(message), cause -> null);

        assertThat(failure.lasting()).isTrue();
        assertThat(failure.cause()).contains(remedy);
    }

    /** No server is at fault, and other processes may end meanwhile. */
    @Test
    void explain_limitOfThisProcess_passes() {
        ConnectFailure failure =
                ConnectFailures.explain(new OutOfMemoryError("unable to create native thread: ..."), cause -> null);

        assertThat(failure).isEqualTo(ConnectFailure.passing(ProcessLimit.THREADS.explanation()));
    }
}

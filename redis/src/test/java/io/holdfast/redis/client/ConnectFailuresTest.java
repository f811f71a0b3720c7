package io.holdfast.redis.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.node.ProcessLimit;
import java.io.IOException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.util.List;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class ConnectFailuresTest {

    private static ConnectFailure explained(Throwable failure) {
        return ConnectFailures.overTls(ConnectFailures.explain(failure, cause -> null));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Unsupported or unrecognized SSL message",
                "(unexpected_message) Unsupported or unrecognized SSL message",
                "not an SSL/TLS record: 2d455252"
            })
    void explain_answerWithoutTls_lasts(String message) {
        ConnectFailure failure = explained(new SSLException(message));

        assertThat(failure.lasting()).isTrue();
        assertThat(failure.cause()).contains("write redis:// in its address");
    }

    /** Such advice makes a user send the password in clear text. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "Remote host terminated the handshake",
                "Received fatal alert: handshake_failure",
                "Received fatal alert: internal_error"
            })
    void explain_unknownEndOfAHandshake_passesAndAdvisesNoPlainText(String message) {
        ConnectFailure failure = explained(new SSLException(message));

        assertThat(failure.lasting()).isFalse();
        assertThat(failure.cause())
                .startsWith("the TLS handshake failed (" + message)
                .doesNotContain("redis://");
    }

    static List<IOException> timeLimits() {
        return List.of(
                new SocketTimeoutException("Read timed out"), new SSLException("handshake timed out after 2000ms"));
    }

    /** Netty and Lettuce both limit the handshake. Whichever is first, the user reads the same. */
    @ParameterizedTest
    @MethodSource("timeLimits")
    void explain_silentServerBehindTls_namesTheTimeLimit(IOException failure) {
        assertThat(explained(failure).cause())
                .contains("within the time limit for connections", "overloaded")
                .doesNotContain("redis://");
    }

    /** The server has noticed that the certificate is missing before the first command was sent. */
    @ParameterizedTest
    @CsvSource({
        "Received fatal alert: certificate_required, true, requires a certificate of this client",
        "Received fatal alert: unknown_ca, true, refuses the certificate of this client",
        "(unknown_ca) Received fatal alert: unknown_ca, true, refuses the certificate of this client",
        "Received fatal alert: bad_certificate, true, refuses the certificate of this client",
        "Received fatal alert: handshake_failure, false, requires a certificate of this client"
    })
    void explain_certificateOfTheClient_namesTheRemedy(String message, boolean isLasting, String text) {
        ConnectFailure failure = explained(new SSLHandshakeException(message));

        assertThat(failure.lasting()).isEqualTo(isLasting);
        assertThat(failure.cause()).contains(text);
    }

    @ParameterizedTest
    @ValueSource(strings = {"Broken pipe", "Connection reset", "Connection reset by peer"})
    void explain_connectionEndedBehindTls_namesTheCertificateOfTheClient(String message) {
        assertThat(explained(new SocketException(message)).cause())
                .contains("--cert and --key", "maxclients", "behind a proxy")
                .doesNotContain("rediss://");
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

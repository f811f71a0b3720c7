package io.holdfast.testkit.contract;

import static io.holdfast.servers.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.abort;

import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.LockOptions;
import io.holdfast.QuorumUnreachableException;
import io.holdfast.lease.ReleaseOutcome;
import io.holdfast.servers.FreePorts;
import io.holdfast.servers.RedisServer;
import io.holdfast.servers.ServerCertificate;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A contract for nodes that use TLS; skipped if the server was built without it. */
@Timeout(60)
public abstract class TlsContract {

    private static final LockOptions OPTIONS = LockOptions.builder()
            .lease(Duration.ofSeconds(20))
            .nodeTimeout(Duration.ofSeconds(2))
            .build();

    @TempDir
    private Path directory;

    private final int port = FreePorts.next();

    private RedisServer start(ServerCertificate certificate) {
        try {
            return RedisServer.start(certificate.options(port));
        } catch (IllegalStateException e) {
            return abort("The server does not support TLS: " + e.getMessage());
        }
    }

    private static String refusal(Holdfast client) throws InterruptedException {
        try {
            return client.lock("a", OPTIONS).tryAcquire().toString();
        } catch (QuorumUnreachableException e) {
            return String.valueOf(e.getMessage());
        }
    }

    @AfterEach
    void distrust() {
        ServerCertificate.distrust();
    }

    @Test
    void acquire_certificateIsTrusted_isGranted() throws Exception {
        ServerCertificate certificate = ServerCertificate.in(directory);
        certificate.trust();
        try (RedisServer server = start(certificate);
                Holdfast client = Holdfast.connect("rediss://127.0.0.1:" + port)) {
            Lease lease = client.lock("a", OPTIONS).acquire();

            assertThat(server.exec("GET", "a")).isEqualTo(lease.owner().token());
            assertThat(client.lock("a", OPTIONS).tryAcquire()).isEmpty();
            assertThat(lease.release()).isEqualTo(ReleaseOutcome.RELEASED);
        }
    }

    @Test
    void acquire_certificateIsNotTrusted_namesTheRemedy() throws Exception {
        try (RedisServer server = start(ServerCertificate.in(directory));
                Holdfast client = Holdfast.connect("rediss://127.0.0.1:" + port)) {
            assertThat(server.isAlive()).isTrue();
            assertThatThrownBy(() -> client.lock("a", OPTIONS).tryAcquire())
                    .hasMessageContaining("no TLS with this server")
                    .hasMessageContaining("trust its certificate");
        }
    }

    @Test
    void acquire_portWithoutTls_namesTheRemedy() throws Exception {
        ServerCertificate certificate = ServerCertificate.in(directory);
        certificate.trust();
        try (RedisServer server = start(certificate);
                Holdfast client = Holdfast.connect("rediss://127.0.0.1:" + server.port())) {
            eventually("the reason is known", () -> refusal(client).contains("use redis:// if it speaks none"));
        }
    }
}

package io.holdfast.testkit.contract;

import static io.holdfast.servers.Eventually.eventually;
import static io.holdfast.testkit.Refusals.refusal;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import io.holdfast.Holdfast;
import io.holdfast.HoldfastOptions;
import io.holdfast.Lease;
import io.holdfast.LockOptions;
import io.holdfast.lease.ReleaseOutcome;
import io.holdfast.security.Credentials;
import io.holdfast.servers.FreePorts;
import io.holdfast.servers.PatientOptions;
import io.holdfast.servers.RedisServer;
import io.holdfast.servers.RedisServerOptions;
import io.holdfast.servers.ServerCertificate;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;

/** A contract for nodes that use TLS, and their users and passwords; skipped if the server was built without TLS. */
@ResourceLock(Resources.SYSTEM_PROPERTIES)
@Execution(ExecutionMode.SAME_THREAD)
public abstract class TlsContract {

    private static final LockOptions OPTIONS = PatientOptions.LOCK;

    private static ServerCertificate certificate;

    private final int port = FreePorts.next();

    @BeforeAll
    static void makeCertificate(@TempDir Path directory) throws IOException, GeneralSecurityException {
        certificate = ServerCertificate.in(directory);
    }

    private RedisServer start() {
        return start(certificate.options(port));
    }

    private static RedisServer start(RedisServerOptions options) {
        try {
            return RedisServer.start(options);
        } catch (IllegalStateException e) {
            return abort("The server does not support TLS: " + e.getMessage());
        }
    }

    @AfterEach
    void distrust() {
        ServerCertificate.distrust();
    }

    @Test
    void acquire_certificateIsTrusted_isGranted() throws Exception {
        certificate.trust();
        try (RedisServer server = start();
                Holdfast client = Holdfast.connect(List.of("rediss://127.0.0.1:" + port), PatientOptions.CLIENT)) {
            Lease lease = client.lock("a", OPTIONS).acquire();

            assertThat(server.exec("GET", "a")).isEqualTo(lease.owner().token());
            assertThat(client.lock("a", OPTIONS).tryAcquire()).isEmpty();
            assertThat(lease.release()).isEqualTo(ReleaseOutcome.RELEASED);
        }
    }

    /** The trust of the JVM does not know the certificate. */
    @Test
    void acquire_certificateIsTrustedByTheOptions_isGranted() throws Exception {
        HoldfastOptions options =
                PatientOptions.CLIENT.toBuilder().trustManagers(trusting()).build();
        try (RedisServer server = start();
                Holdfast client = Holdfast.connect(List.of("rediss://127.0.0.1:" + port), options)) {
            assertThat(client.lock("a", OPTIONS).acquire().release()).isEqualTo(ReleaseOutcome.RELEASED);
            assertThat(server.isAlive()).isTrue();
        }
    }

    /** The certificate names 127.0.0.1 only. */
    @Test
    void acquire_certificateNamesAnotherHost_isGrantedOnlyWithoutVerification() throws Exception {
        HoldfastOptions verified =
                PatientOptions.CLIENT.toBuilder().trustManagers(trusting()).build();
        HoldfastOptions unverified =
                verified.toBuilder().hostnameVerification(false).build();
        List<String> address = List.of("rediss://localhost:" + port);
        try (RedisServer server = start();
                Holdfast strict = Holdfast.connect(address, verified);
                Holdfast lenient = Holdfast.connect(address, unverified)) {
            eventually(
                    "the reason is known",
                    () -> refusal(strict.lock("a", OPTIONS)).contains("its certificate is for another name"));
            eventually(
                    "the lenient client is granted the lock",
                    () -> lenient.lock("a", OPTIONS).tryAcquire().isPresent());
            assertThat(server.isAlive()).isTrue();
        }
    }

    @Test
    void acquire_passwordIsRotated_nextConnectionUsesTheNewOne() throws Exception {
        AtomicReference<String> password = new AtomicReference<>("first");
        HoldfastOptions options = PatientOptions.CLIENT.toBuilder()
                .trustManagers(trusting())
                .credentials(() -> new Credentials("locker", Objects.requireNonNull(password.get())))
                .build();
        try (RedisServer server = start()) {
            server.exec("ACL", "SETUSER", "locker", "on", ">first", "~*", "&*", "+@all");
            try (Holdfast client = Holdfast.connect(List.of("rediss://127.0.0.1:" + port), options)) {
                Lease lease = client.lock("a", OPTIONS).acquire();
                assertThat(String.valueOf(server.exec("CLIENT", "LIST"))).contains("user=locker");

                password.set("second");
                server.exec("ACL", "SETUSER", "locker", "resetpass", ">second");
                server.exec("CLIENT", "KILL", "USER", "locker");

                eventually("the lease is extended", () -> lease.extend(Duration.ofSeconds(20)));
                assertThat(String.valueOf(server.exec("CLIENT", "LIST"))).contains("user=locker");
            }
        }
    }

    private static TrustManagerFactory trusting() throws IOException, GeneralSecurityException {
        KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
        trusted.load(null, null);
        try (InputStream pem = Files.newInputStream(certificate.certificate())) {
            trusted.setCertificateEntry(
                    "server", CertificateFactory.getInstance("X.509").generateCertificate(pem));
        }
        TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(trusted);
        return factory;
    }

    @Test
    void acquire_certificateIsNotTrusted_namesTheRemedy() throws Exception {
        try (RedisServer server = start();
                Holdfast client = Holdfast.connect(List.of("rediss://127.0.0.1:" + port), PatientOptions.CLIENT)) {
            assertThat(server.isAlive()).isTrue();
            eventually(
                    "the reason is known",
                    () -> refusal(client.lock("a", OPTIONS)).contains("its certificate is not signed by an authority"));
        }
    }

    /** The default of Redis with TLS. */
    @Test
    void acquire_serverRequiresACertificate_isGrantedOnlyWithOne() throws Exception {
        HoldfastOptions trusting =
                PatientOptions.CLIENT.toBuilder().trustManagers(trusting()).build();
        HoldfastOptions known =
                trusting.toBuilder().keyManagers(certificate.keyManagers()).build();
        List<String> address = List.of("rediss://127.0.0.1:" + port);
        try (RedisServer server = start(certificate.options(port).withConfig("tls-auth-clients yes"));
                Holdfast unknown = Holdfast.connect(address, trusting);
                Holdfast client = Holdfast.connect(address, known)) {
            assertThat(client.lock("a", OPTIONS).acquire().release()).isEqualTo(ReleaseOutcome.RELEASED);
            eventually(
                    "the reason is known",
                    () -> refusal(unknown.lock("a", OPTIONS))
                            .contains("the server requires a certificate of this client; give"));
            assertThat(server.isAlive()).isTrue();
        }
    }

    /** Not each client recognizes it: such a server often waits for the end of the line. */
    @Test
    void acquire_portWithoutTls_namesTheReason() throws Exception {
        certificate.trust();
        try (RedisServer server = start();
                Holdfast client = Holdfast.connect("rediss://127.0.0.1:" + server.port())) {
            eventually(
                    "the reason is known",
                    () -> refusal(client.lock("a", OPTIONS))
                            .matches(".*(write redis:// in its address|does a server with TLS run there).*"));
        }
    }

    /** Such a server may speak TLS, and be slow. */
    @Test
    void acquire_portIsSilent_namesTheTimeLimitAndNoOtherScheme() throws Exception {
        HoldfastOptions brief =
                HoldfastOptions.builder().connectTimeout(Duration.ofSeconds(1)).build();
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
                Holdfast client = Holdfast.connect(List.of("rediss://127.0.0.1:" + silent.getLocalPort()), brief)) {
            eventually(
                    "the reason is known",
                    () -> refusal(client.lock("a", OPTIONS)).contains("within the time limit for connections"));
            assertThat(refusal(client.lock("a", OPTIONS))).doesNotContain("redis://");
        }
    }
}

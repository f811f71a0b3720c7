package io.holdfast.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.abort;

import io.holdfast.Lease;
import io.holdfast.QuorumUnreachableException;
import io.holdfast.lease.ReleaseOutcome;
import io.holdfast.servers.FreePorts;
import io.holdfast.servers.RedisServer;
import io.holdfast.servers.ServerCertificate;
import io.holdfast.spring.LockFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Tests the certificates of an SSL bundle on a server with TLS, with both Redis clients; skipped if the server was
 * built without TLS.
 */
@Tag("server")
class SslBundleTest {

    /** The time after which a test that cannot connect ends. */
    private static final String WAIT_LIMIT = "holdfast.lock.wait-limit=5s";

    private static final String BUNDLE = "spring.ssl.bundle.pem.own.";

    @TempDir
    private Path directory;

    private final int port = FreePorts.next();
    private ServerCertificate certificate;

    @BeforeEach
    void createCertificate() throws Exception {
        certificate = ServerCertificate.in(directory);
    }

    private RedisServer start(String... config) {
        try {
            return RedisServer.start(Stream.of(config)
                    .reduce(
                            certificate.options(port),
                            (options, line) -> options.withConfig(line),
                            (first, second) -> second));
        } catch (IllegalStateException e) {
            return abort("The server does not support TLS: " + e.getMessage());
        }
    }

    private TestApplication connect(HoldfastProperties.Client client, String... properties) {
        List<String> all = new ArrayList<>(List.of("holdfast.client=" + client));
        all.addAll(List.of(properties));
        return TestApplication.start(List.of("rediss://127.0.0.1:" + port), all.toArray(String[]::new));
    }

    private String trusted() {
        return BUNDLE + "truststore.certificate=file:" + certificate.certificate();
    }

    private static Lease acquire(TestApplication application) throws InterruptedException {
        return application.bean(LockFactory.class).lock("order:7").acquire();
    }

    @ParameterizedTest
    @EnumSource
    void acquire_bundleTrustsTheCertificate_isGranted(HoldfastProperties.Client client) throws Exception {
        try (RedisServer server = start();
                TestApplication application = connect(client, "holdfast.ssl.bundle=own", trusted())) {
            Lease lease = acquire(application);

            assertThat(server.exec("GET", "order:7")).isEqualTo(lease.owner().token());
            assertThat(lease.release()).isEqualTo(ReleaseOutcome.RELEASED);
        }
    }

    @ParameterizedTest
    @EnumSource
    @Tag("evidence")
    void acquire_withoutTheBundle_namesTheReason(HoldfastProperties.Client client) {
        try (RedisServer server = start();
                TestApplication application = connect(client, WAIT_LIMIT)) {
            assertThat(server.isAlive()).isTrue();
            assertThatThrownBy(() -> acquire(application))
                    .isInstanceOf(QuorumUnreachableException.class)
                    .hasMessageContaining("its certificate is not signed by an authority");
        }
    }

    /** The server also verifies the client. */
    @ParameterizedTest
    @EnumSource
    @Tag("evidence")
    void acquire_serverRequiresACertificate_isGrantedWithTheKeyOfTheBundle(HoldfastProperties.Client client)
            throws Exception {
        String certificateOfTheClient = BUNDLE + "keystore.certificate=file:" + certificate.certificate();
        String key = BUNDLE + "keystore.private-key=file:" + directory.resolve("key.pem");
        try (RedisServer server = start("tls-auth-clients yes")) {
            assertThat(server.isAlive()).isTrue();
            try (TestApplication application = connect(client, WAIT_LIMIT, "holdfast.ssl.bundle=own", trusted())) {
                assertThatThrownBy(() -> acquire(application)).isInstanceOf(QuorumUnreachableException.class);
            }
            try (TestApplication application =
                    connect(client, "holdfast.ssl.bundle=own", trusted(), certificateOfTheClient, key)) {
                assertThat(acquire(application).release()).isEqualTo(ReleaseOutcome.RELEASED);
            }
        }
    }
}

package io.holdfast.redis.client;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ClientVersionTest {

    private static final ClientVersion CLIENT = new ClientVersion("Lettuce", "io.lettuce:lettuce-core", 6, 8);

    @ParameterizedTest
    @ValueSource(strings = {"6.7.1.RELEASE", "5.9.0", "6.0.0-beta1"})
    void require_olderVersion_throwsWithVersionAndRemedy(String version) {
        assertThatThrownBy(() -> CLIENT.require(version))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContainingAll("Lettuce " + version, "6.8 or later", "io.lettuce:lettuce-core");
    }

    @ParameterizedTest
    @ValueSource(strings = {"6.8.0.RELEASE", "6.10.1", "10.0.0", "a fork"})
    void require_laterOrUnknownVersion_isAccepted(String version) {
        assertThatCode(() -> CLIENT.require(version)).doesNotThrowAnyException();
    }
}

package io.holdfast.cli.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ListenAddressTest {

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1:7480", "[::1]:7480", "localhost:0"})
    void parse_loopback_isLocal(String text) {
        assertThat(ListenAddress.parse(text).getAddress().isLoopbackAddress()).isTrue();
    }

    @Test
    void parse_anyAddress_isNotLocal() {
        assertThat(ListenAddress.parse("0.0.0.0:1").getAddress().isLoopbackAddress())
                .isFalse();
        assertThat(ListenAddress.parse("[::]:65535").getPort()).isEqualTo(65_535);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "7480", ":7480", "host", "host:", "host:65536", "::1:7480", "http://a:1", "a b:1"})
    void parse_anythingElse_fails(String text) {
        assertThatThrownBy(() -> ListenAddress.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("is not an address; write one such as 127.0.0.1:7480");
    }
}

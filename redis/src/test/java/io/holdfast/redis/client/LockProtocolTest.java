package io.holdfast.redis.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.node.NodeAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LockProtocolTest {

    @Test
    void of_knownParameter_returnsTheProtocol() {
        assertThat(LockProtocol.of(NodeAddress.parse("redis://a"))).isEqualTo(LockProtocol.SCRIPTS);
        assertThat(LockProtocol.of(NodeAddress.parse("redis://a?locks=timestamps-in-seconds")))
                .isEqualTo(LockProtocol.TIMESTAMPS_IN_SECONDS);
    }

    @ParameterizedTest
    @CsvSource({
        "lock=timestamps, parameter 'lock'",
        "ssl=true, parameter 'ssl'",
        "locks=scripts&password=geheim, parameter 'password'",
        "geheim, parameter;"
    })
    void of_unknownParameter_namesItWithoutItsValue(String query, String name) {
        assertThatThrownBy(() -> LockProtocol.of(NodeAddress.parse("redis://me:geheim@a?" + query)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("'redis://a' has the unknown parameter")
                .hasMessageContaining(name)
                .hasMessageContaining("remove it")
                .hasMessageNotContaining("geheim");
    }
}

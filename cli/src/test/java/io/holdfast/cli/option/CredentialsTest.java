package io.holdfast.cli.option;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.cli.exit.Failure;
import org.junit.jupiter.api.Test;

class CredentialsTest {

    @Test
    void ofServers_userWithoutPassword_namesBothPlacesOfThePassword() {
        assertThatThrownBy(() -> new Credentials("bob", null, Credentials.Source.SERVERS).ofServers())
                .isInstanceOf(Failure.class)
                .hasMessage("the user 'bob' has no password; set HOLDFAST_PASSWORD or give --password-file");
        assertThatThrownBy(() -> new Credentials("eve", null, Credentials.Source.SENTINELS).ofServers())
                .hasMessage("the user 'eve' has no password; set HOLDFAST_SENTINEL_PASSWORD or give"
                        + " --sentinel-password-file");
    }
}

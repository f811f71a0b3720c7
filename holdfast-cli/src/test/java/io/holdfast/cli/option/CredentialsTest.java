package io.holdfast.cli.option;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.cli.exit.Failure;
import org.junit.jupiter.api.Test;

class CredentialsTest {

    @Test
    void in_userWithoutPassword_namesBothPlacesOfThePassword() {
        assertThatThrownBy(() -> new Credentials("bob", null).in("redis://a"))
                .isInstanceOf(Failure.class)
                .hasMessage("the user 'bob' has no password; set HOLDFAST_PASSWORD or give --password-file");
    }

    @Test
    void in_addressWithItsOwn_keepsThem() {
        assertThat(new Credentials("bob", null).in("redis://me:mine@a")).isEqualTo("redis://me:mine@a");
        assertThat(new Credentials("bob", "a b").in("redis://a")).isEqualTo("redis://bob:a%20b@a");
    }
}

package io.holdfast.inventory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.inventory.demo.ShopProcess;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the start of a shop. */
@Tag("process")
class ShopProcessTest {

    @Test
    void awaitReady_shopHasEnded_saysSo(@TempDir Path directory) throws Exception {
        Path log = directory.resolve("shop.log");

        try (ShopProcess shop =
                ShopProcess.start(directory.resolve("missing.jar"), "jdbc:none", List.of("redis://a:1"), log)) {
            assertThatThrownBy(shop::awaitReady)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("did not start");
        }
        assertThat(log).content().contains("missing.jar");
    }
}

package io.holdfast.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class PageFilesTest {

    @Test
    void find_library_isThatOfTheClassPath() {
        assertThat(PageFiles.find("lib/preact.js")).hasValueSatisfying(file -> {
            assertThat(file.headers()).containsEntry("Content-Type", "text/javascript; charset=utf-8");
            assertThat(new String(file.body(), StandardCharsets.UTF_8)).contains("preact");
        });
        assertThat(PageFiles.find("lib/hooks.js")).isPresent();
    }

    @Test
    void find_pathOutsideOfThePage_isEmpty() {
        assertThat(PageFiles.find("../PageFiles.class")).isEmpty();
        assertThat(PageFiles.find("lib/../json/Json.class")).isEmpty();
        assertThat(PageFiles.find("package-info.class")).isEmpty();
        assertThat(PageFiles.find("no-such.html")).isEmpty();
    }
}

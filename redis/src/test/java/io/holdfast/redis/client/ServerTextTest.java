package io.holdfast.redis.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ServerTextTest {

    @Test
    void line_severalLinesAndControlCharacters_isOnePrintableLine() {
        assertThat(ServerText.line("ERR \u001b[2Jbad\u0007 \u009bcode\r\nsecond"))
                .isEqualTo("ERR  [2Jbad   code");
    }

    @Test
    void line_longText_isCut() {
        assertThat(ServerText.line("a".repeat(1_000_000))).hasSize(203).endsWith("...");
    }

    @Test
    void shape_anyValue_showsNoContent() {
        assertThat(ServerText.shape(List.of("refused", "secret"))).isEqualTo("a list of 2 that begins with 'refused'");
        assertThat(ServerText.shape(List.of("0WnerT0ken", List.of()))).isEqualTo("a list of 2");
        assertThat(ServerText.shape("0WnerT0ken")).isEqualTo("a text of 10 characters");
        assertThat(ServerText.shape(5L)).isEqualTo("5");
        assertThat(ServerText.shape(null)).isEqualTo("nothing");
    }
}

package io.holdfast.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.console.json.JsonTexts;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonTextsTest {

    @Test
    void parse_object_returnsItsFields() {
        assertThat(JsonTexts.parse(" { \"a\" : \"x\\n\\u00e4\\\"\\ud800\", \"b\":\"\" } "))
                .isEqualTo(Map.of("a", "x\n\u00e4\"\ud800", "b", ""));
        assertThat(JsonTexts.parse("{}")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "[]",
                "{",
                "{\"a\"}",
                "{\"a\":1}",
                "{\"a\":\"b\"",
                "{\"a\":\"b\",}",
                "{\"a\":\"\\x\"}",
                "{\"a\":\"\\u00g0\"}",
                "{\"a\":\"b\"} x",
                "{\"a\":{}}"
            })
    void parse_anythingElse_fails(String text) {
        assertThatThrownBy(() -> JsonTexts.parse(text)).isInstanceOf(IllegalArgumentException.class);
    }
}

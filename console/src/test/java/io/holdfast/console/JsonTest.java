package io.holdfast.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.console.json.Json;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class JsonTest {

    @Test
    void object_valuesOfEachKind_areWritten() {
        assertThat(Json.object(Json.fields(
                        "n", 1, "b", true, "none", Json.NULL, "list", List.of(1, "x"), "map", Map.of("k", "v"))))
                .isEqualTo("{\"n\":1,\"b\":true,\"none\":null,\"list\":[1,\"x\"],\"map\":{\"k\":\"v\"}}");
        assertThat(Json.object(Map.of())).isEqualTo("{}");
    }

    @Test
    void object_hostileText_isAscii() {
        assertThat(Json.object(Map.of("a\"\\", "</script>\u0000\n\u007f\u00e4\ud800")))
                .isEqualTo("{\"a\\\"\\\\\":\"</script>\\u0000\\u000a\\u007f\\u00e4\\ud800\"}");
    }
}

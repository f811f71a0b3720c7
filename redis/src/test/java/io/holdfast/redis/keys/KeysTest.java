package io.holdfast.redis.keys;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KeysTest {

    @ParameterizedTest
    @CsvSource({
        "order:42, {order:42}:holdfast:fence",
        "{user:1}cart, {user:1}cart::holdfast:fence",
        "cart{user:1}x}, cart{user:1}x}::holdfast:fence"
    })
    void of_name_returnsKeysWithTheSameHashTag(String name, String fence) {
        Keys keys = Keys.of(name);

        assertThat(keys.lock()).isEqualTo(name);
        assertThat(keys.fence()).isEqualTo(fence);
        assertThat(List.of(
                        keys.fence(),
                        keys.queue(),
                        keys.reservation(),
                        keys.owner(),
                        keys.sharedHolders(),
                        keys.claims(),
                        keys.note()))
                .doesNotHaveDuplicates()
                .allSatisfy(key -> assertThat(hashed(key)).isEqualTo(hashed(name)));
    }

    @Test
    void remembering_resourceIsAnother_returnsItsKeys() {
        Function<String, Keys> keys = Keys.remembering(Keys::of);

        assertThat(keys.apply("a")).isEqualTo(Keys.of("a")).isSameAs(keys.apply("a"));
        assertThat(keys.apply("b")).isEqualTo(Keys.of("b"));
    }

    @Test
    void documents_listEachKey() throws Exception {
        String page = Files.readString(Path.of("../docs/protocol.md"));
        Keys keys = Keys.of("<key>");

        for (RecordComponent key : Keys.class.getRecordComponents()) {
            String name = ((String) key.getAccessor().invoke(keys)).replace("{<key>}", "<stem>");
            assertThat(page).contains("\n| `" + name + "` |");
        }
    }

    /** Returns the part of a key that a cluster hashes, by its specification. */
    private static String hashed(String key) {
        int open = key.indexOf('{');
        int close = open < 0 ? -1 : key.indexOf('}', open);
        return close > open + 1 ? key.substring(open + 1, close) : key;
    }
}

package io.holdfast.redis;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KeysTest {

    @ParameterizedTest
    @CsvSource({
        "order:42, {order:42}:holdfast:fence",
        "{user:1}cart, {user:1}cart::holdfast:fence",
        "cart{user:1}x}, cart{user:1}x}::holdfast:fence"
    })
    void of_name_keepsTheSideKeyUnderTheSameHashTag(String name, String fence) {
        Keys keys = Keys.of(name);

        assertThat(keys).isEqualTo(new Keys(name, fence));
        assertThat(hashed(fence)).isEqualTo(hashed(name));
    }

    /** What a cluster hashes of a key, by its specification. */
    private static String hashed(String key) {
        int open = key.indexOf('{');
        int close = open < 0 ? -1 : key.indexOf('}', open);
        return close > open + 1 ? key.substring(open + 1, close) : key;
    }
}

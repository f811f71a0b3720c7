package io.holdfast.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The keys of names: different, reversible, and never a key that Holdfast keeps beside the locks. */
class ResourceNameTest {

    private static final List<String> PARTS = List.of(
            "holdfast:",
            ":holdfast:",
            "holdfast:name:",
            "holdfast:digest:",
            "holdfast:marker",
            "fence",
            "{",
            "}",
            "%",
            "%0A",
            "%25",
            "%C2%9B",
            "\n",
            "\u0000",
            "\u001b[2J",
            "\u009b",
            "\u2028",
            " ",
            ":",
            "/",
            "a",
            "A",
            "\u00fc",
            "\ud83d\ude00",
            "0A",
            "0123456789abcdef".repeat(4));
    private static final int LONGEST_PLAIN = 512;

    private final Random random = new Random(1);

    private String name() {
        StringBuilder name = new StringBuilder();
        int parts = 1 + random.nextInt(6);
        for (int i = 0; i < parts; i++) {
            name.append(PARTS.get(random.nextInt(PARTS.size())));
        }
        if (random.nextInt(8) == 0) {
            name.append("x".repeat(LONGEST_PLAIN - 20 + random.nextInt(40)));
        }
        return name.toString();
    }

    private List<String> names() {
        List<String> names = new ArrayList<>();
        for (int i = 0; i < 10_000; i++) {
            String name = name();
            names.add(name);
            if (random.nextInt(4) == 0) {
                // What is shown for one name is another name.
                names.add(ResourceName.listed(name));
            }
        }
        names.removeIf(ResourceNameTest::isRefused);
        assertThat(names).hasSizeGreaterThan(9_000);
        return names;
    }

    private static boolean isRefused(String name) {
        try {
            ResourceName.key(name);
            return false;
        } catch (IllegalArgumentException refused) {
            assertThat(name).matches("(?s)holdfast:(digest|name):.*");
            return true;
        }
    }

    private static boolean isPlain(String name) {
        return name.length() <= LONGEST_PLAIN
                && name.chars().noneMatch(Character::isISOControl)
                && !name.startsWith("holdfast:")
                && !name.contains(":holdfast:");
    }

    @Test
    void key_anyNames_areDifferent() {
        Map<String, String> byKey = new HashMap<>();
        for (String name : names()) {
            String other = byKey.put(ResourceName.key(name), name);
            assertThat(other == null || other.equals(name))
                    .as("the names '%s' and '%s' have one key", name, other)
                    .isTrue();
        }
    }

    @Test
    void key_plainName_isTheName() {
        assertThat(names())
                .filteredOn(ResourceNameTest::isPlain)
                .hasSizeGreaterThan(1_000)
                .allSatisfy(name -> assertThat(ResourceName.key(name)).isEqualTo(name));
    }

    @Test
    void key_anyName_isOneOfNoOtherPurposeInOneLine() {
        assertThat(names())
                .filteredOn(name -> !isPlain(name))
                .hasSizeGreaterThan(1_000)
                .allSatisfy(name -> {
                    String key = ResourceName.key(name);
                    assertThat(key).matches("holdfast:name:[^:]+|holdfast:digest:[0-9A-F]{64}:[^:]*");
                    assertThat(key).doesNotContain(":holdfast:").doesNotContain("{", "}");
                    assertThat(key.chars()).noneMatch(Character::isISOControl);
                    assertThat(key).hasSizeLessThan(LONGEST_PLAIN + 20);
                });
    }

    /** Otherwise an administrator who names a lock by its key might break another one. */
    @Test
    void key_keyOfAnotherName_isRefused() {
        assertThat(names())
                .filteredOn(name -> !isPlain(name))
                .extracting(ResourceName::key)
                .allMatch(ResourceNameTest::isRefused);
    }

    @Test
    void name_ofAKey_isTheNameOrTheKeyOfALongOne() {
        for (String name : names()) {
            String key = ResourceName.key(name);
            assertThat(ResourceName.name(key)).isEqualTo(key.startsWith("holdfast:digest:") ? key : name);
            assertThat(ResourceName.isKey(key)).as(key).isTrue();
            assertThat(ResourceName.listed(ResourceName.listed(name))).isEqualTo(key);
            assertThat(ResourceName.listed(ResourceName.name(key))).isEqualTo(key);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "order:42, order:42",
        "'a b', 'a b'",
        "100%, 100%",
        "'a\nb', holdfast:name:a%0Ab",
        "'a\n%b: {\u009b}', holdfast:name:a%0A%25b%3A%20%7B%C2%9B%7D",
        "'\tM\u00fcller', holdfast:name:%09M\u00fcller",
        "holdfast:marker, holdfast:name:holdfast%3Amarker",
        "{a}:holdfast:fence, holdfast:name:%7Ba%7D%3Aholdfast%3Afence",
        "holdfast:name:a%0ab, holdfast:name:holdfast%3Aname%3Aa%250ab"
    })
    void key_examples_areThese(String name, String key) {
        assertThat(ResourceName.key(name)).isEqualTo(key);
    }

    /** As {@code printf 'xxx...' | sha256sum} prints it. */
    @Test
    void key_longName_isItsDigestAndItsBeginning() {
        assertThat(ResourceName.key("x".repeat(513)))
                .isEqualTo("holdfast:digest:35ADE0090E64E74D6AD04204009C23A4E34B82BDF0F4F317FBCC5F26F9B10241:"
                        + "x".repeat(40));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "holdfast:name:",
                "holdfast:name:a",
                "holdfast:name:%0a",
                "holdfast:name:a%0Ab:",
                "holdfast:name:holdfast%3Aname%3Aa%250Ab",
                "holdfast:marker"
            })
    void isKey_keyThatNoNameHas_isFalse(String key) {
        assertThat(ResourceName.isKey(key)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"a\ud83d", "\ude00b"})
    void key_halfOfACharacter_isRefusedWithTheReason(String name) {
        assertThatThrownBy(() -> ResourceName.key(name))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("half of a character");
    }
}

package io.holdfast.packing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Field;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ConstantFieldsTest {

    /** A class with a static field that is computed. */
    static final class Computed {
        static final String CONSTANT = "constant";
        static final String TEXT = String.valueOf(1);

        final int instance = 2;
    }

    /** A class with another static field, which would lose its value. */
    static final class Another {
        static final String TEXT = String.valueOf(1);
        static final Object LOCK = new Object();
    }

    private static byte[] bytes(Class<?> type) throws IOException {
        try (InputStream in = type.getResourceAsStream("/" + type.getName().replace('.', '/') + ".class")) {
            return in.readAllBytes();
        }
    }

    @Test
    void set_computedField_becomesAConstant() throws Exception {
        byte[] changed = ConstantFields.set(bytes(Computed.class), Map.of("TEXT", "recorded"));

        Class<?> type = new ClassLoader(null) {
            Class<?> define() {
                return defineClass(null, changed, 0, changed.length);
            }
        }.define();
        Field text = type.getDeclaredField("TEXT");
        text.setAccessible(true);
        assertThat(text.get(null)).isEqualTo("recorded");
        Field constant = type.getDeclaredField("CONSTANT");
        constant.setAccessible(true);
        assertThat(constant.get(null)).isEqualTo("constant");
    }

    @Test
    void set_fieldWithoutValue_isRejected() throws IOException {
        byte[] another = bytes(Another.class);

        assertThatThrownBy(() -> ConstantFields.set(another, Map.of("TEXT", "recorded")))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("The static field LOCK would lose its value");
    }

    @Test
    void set_unknownField_isRejected() throws IOException {
        byte[] computed = bytes(Computed.class);

        assertThatThrownBy(() -> ConstantFields.set(computed, Map.of("TEXT", "recorded", "OTHER", "")))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("The class has no fields [OTHER]");
    }
}

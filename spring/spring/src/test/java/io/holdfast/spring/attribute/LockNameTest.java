package io.holdfast.spring.attribute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;

/** Tests the names of locks for the values of expressions. */
class LockNameTest {

    private static final LockName NAME = name("batch:#{#a0}");

    private static LockName name(String template) {
        try {
            return LockName.of(
                    template,
                    LockNameTest.class.getDeclaredMethod("locked", Object.class),
                    new DefaultListableBeanFactory());
        } catch (NoSuchMethodException e) {
            throw new AssertionError(e);
        }
    }

    @SuppressWarnings("unused")
    private static void locked(Object value) {}

    private static List<String> names(@Nullable Object value) {
        return NAME.evaluate(new LockNameTest(), new @Nullable Object[] {value});
    }

    private static String evaluated(@Nullable Object value) {
        List<String> names = names(value);
        assertThat(names).hasSize(1);
        return names.get(0);
    }

    /** As in {@code @Cacheable}, where the whole text is an expression. */
    @ParameterizedTest
    @ValueSource(strings = {"#value", "batch:#a0", "batch:{#value}"})
    void of_parameterOutsideOfAnExpression_isRejectedWithTheRemedy(String template) {
        assertThatThrownBy(() -> name(template))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageMatching("the name contains (#\\w+) as text, .*; write #\\{\\1}");
    }

    @Test
    void of_otherNumberSign_isText() {
        assertThat(name("ticket#7").literalStart()).isEqualTo("ticket#7");
    }

    @Test
    void evaluate_propertyOfNull_isRejectedWithTheExpression() {
        assertThatThrownBy(() -> name("#{#a0.id}").evaluate(new LockNameTest(), new @Nullable Object[] {null}))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("LockNameTest.locked has no name: #{#a0.id} is not defined (EL1007E")
                .hasMessageEndingWith("call the method with a value, or change the expression");
    }

    private static List<Arguments> contents() {
        return Stream.of(
                        Optional.of(new Object[] {"a", "b"}),
                        List.of(List.of("a", "b")),
                        new Object[] {new TreeSet<>(List.of("b", "a"))},
                        new char[] {'a', 'b'})
                .map(value -> Arguments.of(value))
                .toList();
    }

    @ParameterizedTest
    @MethodSource("contents")
    void evaluate_severalValues_namesTheirContent(Object value) {
        assertThat(evaluated(value)).isEqualTo("batch:[a, b]");
    }

    @Test
    void evaluate_equalSetsAndMaps_isTheSame() {
        assertThat(evaluated(Optional.of(Set.of(1, 2, 3)))).isEqualTo("batch:[1, 2, 3]");
        assertThat(evaluated(Map.of("x", new int[] {1}, "y", 2))).isEqualTo("batch:[x=[1], y=2]");
        assertThat(evaluated(Optional.of(Arrays.asList(1, null)))).isEqualTo("batch:[1, null]");
    }

    @Test
    void evaluate_collectionOrArray_isSeveralNamesInOrder() {
        assertThat(names(List.of(3, 10, 3))).containsExactly("batch:10", "batch:3");
        assertThat(names(new TreeSet<>(List.of("b", "a")))).containsExactly("batch:a", "batch:b");
        assertThat(names(new String[] {"b", "a"})).containsExactly("batch:a", "batch:b");
        assertThat(name("#{#a0}:#{{1, 2}}").evaluate(new LockNameTest(), new Object[] {List.of("b", "a")}))
                .containsExactly("a:1", "a:2", "b:1", "b:2");
    }

    @Test
    void evaluate_blankBetweenExpressions_isPartOfTheName() {
        LockName twice = name("#{#a0} #{#a0}");

        assertThat(twice.evaluate(new LockNameTest(), new @Nullable Object[] {"a"}))
                .containsExactly("a a");
    }

    /** Has components whose own text depends on their identity or order. */
    @SuppressWarnings("ArrayRecordComponent")
    private record Parcel(int id, String[] lines, Set<Integer> sizes) {}

    /** Has a text of its own. */
    private record Ticket(int value, Order order) {
        @Override
        public String toString() {
            return "no. " + value;
        }
    }

    @Test
    void evaluate_recordOrEntry_namesItsContent() {
        assertThat(evaluated(new Parcel(1, new String[] {"a"}, Set.of(3, 2))))
                .isEqualTo("batch:Parcel[id=1, lines=[a], sizes=[2, 3]]");
        assertThat(evaluated(Map.entry("x", new int[] {1}))).isEqualTo("batch:x=[1]");
        assertThat(evaluated(new Ticket(7, new Order()))).isEqualTo("batch:no. 7");
    }

    @SuppressWarnings("JavaUtilDate")
    @Test
    void evaluate_textOfItsOwnWouldNotDo_namesTheValue() {
        assertThat(evaluated(OptionalLong.of(7))).isEqualTo("batch:7");
        assertThat(evaluated(OptionalInt.of(7))).isEqualTo("batch:7");
        assertThat(evaluated(OptionalDouble.of(0.5))).isEqualTo("batch:0.5");
        assertThat(evaluated(new Date(0))).isEqualTo("batch:1970-01-01T00:00:00Z");
    }

    private static List<Arguments> nothing() {
        return Stream.of(
                        Optional.empty(),
                        OptionalInt.empty(),
                        OptionalLong.empty(),
                        OptionalDouble.empty(),
                        List.of(),
                        Set.of(),
                        Map.of(),
                        new int[0],
                        new Object[] {""},
                        Arrays.asList("a", null),
                        List.of("a", List.of()))
                .map(value -> Arguments.of(value))
                .toList();
    }

    @ParameterizedTest
    @MethodSource("nothing")
    void evaluate_nothing_isRejected(Object value) {
        assertThatThrownBy(() -> evaluated(value))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("LockNameTest.locked has no name: #{#a0} is empty; call");
    }

    /** Has the text of {@link Object}. */
    static class Order {}

    /** Has a text, which shows the identity of its component. */
    private record Envelope(Order order) {}

    private static List<Arguments> withoutText() {
        return Stream.of(new Object[] {new Order()}, new Envelope(new Order()), Map.entry("x", new Order()))
                .map(value -> Arguments.of(value))
                .toList();
    }

    @ParameterizedTest
    @MethodSource("withoutText")
    void evaluate_objectWithoutText_isRejectedWithTheRemedy(Object value) {
        assertThatThrownBy(() -> evaluated(value))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("#{#a0} is a " + Order.class.getName() + ", which has no toString of its own")
                .hasMessageContaining("name a property");
    }
}

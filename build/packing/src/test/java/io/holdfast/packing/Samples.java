package io.holdfast.packing;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.function.BiFunction;
import java.util.function.DoubleUnaryOperator;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;
import java.util.function.ToLongFunction;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** One lambda of each kind, records with components of all types, and the results of all of them. */
@SuppressWarnings({"ArrayRecordComponent", "UnnecessaryLambda"})
public final class Samples implements Callable<Map<String, String>> {

    private static final Supplier<String> STATIC = () -> "from the initializer";

    private final Map<String, String> results = new TreeMap<>();
    private final List<String> ran = new ArrayList<>();

    /** An interface with lambdas in a default method, a private method and a static method. */
    interface Greeting {
        String name();

        default Supplier<String> greeting() {
            return () -> hello() + name();
        }

        private String hello() {
            return "hello ";
        }

        private static String loud(String text) {
            return text + "!";
        }

        static Function<String, String> louder() {
            return Greeting::loud;
        }
    }

    private record Named(String name) implements Greeting {
        private static Named of(String name) {
            return new Named(name);
        }

        private Supplier<String> twice() {
            return () -> name + name;
        }
    }

    private record Empty() {}

    private record AllTypes(
            boolean flag, char letter, byte small, short medium, int number, long large, float real, double precise) {}

    private record References(@Nullable String text, int[] array, List<Named> list) {}

    private record Own(String text) {
        @Override
        public boolean equals(Object other) {
            return other instanceof Own;
        }

        @Override
        public int hashCode() {
            return 1;
        }
    }

    static class Parent {
        protected String word() {
            return "parent";
        }
    }

    static final class Child extends Parent {
        @Override
        protected String word() {
            return "child";
        }

        private Supplier<String> above() {
            return super::word;
        }
    }

    @Override
    public Map<String, String> call() throws Exception {
        expressions("outer", 1, 2L, 3.5, 'c', (byte) 4);
        references(new Named("Ada"));
        conversions();
        records();
        results.put("ran", ran.toString());
        return results;
    }

    private void record(String name, Object result) {
        results.put(name, result + " " + result.getClass().getSimpleName());
    }

    private void expressions(String text, int number, long large, double real, char letter, byte small)
            throws Exception {
        Supplier<String> nothing = () -> "nothing captured";
        Supplier<String> captured = () -> text + number + large + real + letter + small + ran.size();
        Runnable effect = () -> ran.add(text);
        Callable<List<String>> nested =
                () -> Stream.of(text, "b").map(word -> word + number).toList();
        Function<Integer, Function<Integer, Integer>> curried = a -> b -> a * 10 + b + number;
        effect.run();
        record("nothing", nothing.get());
        record("captured", captured.get());
        record("nested", nested.call().get(0));
        record("curried", curried.apply(2).apply(3));
        record("static", STATIC.get());
        Supplier<String> first = again();
        record("same", again() == first);
        record("generic", largest(List.of(3, 9, 4), Comparator.naturalOrder()));
        record("serializable", ((Supplier<String> & Serializable) () -> text).get());
    }

    private static Supplier<String> again() {
        return () -> "again";
    }

    private static <T extends Comparable<T>> T largest(List<T> values, Comparator<? super T> order) {
        return values.stream().max((a, b) -> order.compare(a, b)).orElseThrow();
    }

    private void references(Named named) {
        Function<String, Named> privately = Named::of;
        Function<String, Named> constructor = Named::new;
        IntFunction<String[]> array = String[]::new;
        Supplier<String> bound = named::name;
        Function<Named, String> unbound = Named::name;
        Comparator<String> comparison = String::compareTo;
        BiFunction<String, String, String> own = this::join;
        Runnable dropping = ran::clear;
        Callable<Boolean> valued = () -> ran.add("valued");
        Runnable ignoring = this::count;
        dropping.run();
        ignoring.run();
        record("privately", privately.apply("a").name());
        record("constructor", constructor.apply("b").name());
        record("array", array.apply(3).length);
        record("bound", bound.get());
        record("unbound", unbound.apply(named));
        record("comparison", comparison.compare("a", "b"));
        record("own", own.apply("x", "y"));
        record("interface", named.greeting().get());
        record("private in interface", Greeting.louder().apply("hey"));
        record("record", named.twice().get());
        record("super", new Child().above().get());
        try {
            record("valued", valued.call());
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private String join(String a, String b) {
        return a + "-" + b;
    }

    private long count() {
        ran.add("counted");
        return ran.size();
    }

    private void conversions() {
        Function<Integer, Object> boxed = Samples::twice;
        ToIntFunction<Integer> unboxed = Samples::twice;
        ToLongFunction<Integer> widened = Samples::twice;
        ToIntFunction<Character> letter = Samples::twice;
        LongSupplier fromInt = () -> 7;
        LongSupplier fromInteger = Integer.valueOf(8)::intValue;
        IntSupplier fromBox = List.of(5).iterator()::next;
        DoubleUnaryOperator real = Samples::half;
        UnaryOperator<String> text = String::strip;
        Function<Long, String> number = Object::toString;
        Supplier<Object> flag = this::isEmpty;
        record("boxed", boxed.apply(2));
        record("unboxed", unboxed.applyAsInt(3));
        record("widened", widened.applyAsLong(4));
        record("letter", letter.applyAsInt('a'));
        record("from int", fromInt.getAsLong());
        record("from Integer", fromInteger.getAsLong());
        record("from box", fromBox.getAsInt());
        record("real", real.applyAsDouble(3));
        record("text", text.apply(" stripped "));
        record("number", number.apply(12L));
        record("flag", flag.get());
        record("collected", Stream.of("b", "a").sorted().collect(Collectors.joining(",")));
    }

    private void records() {
        AllTypes all = new AllTypes(true, 'c', (byte) 4, (short) 5, 6, 7L, 8.5F, 9.5);
        AllTypes zeros = new AllTypes(false, '\0', (byte) 0, (short) 0, 0, 0L, -0.0F, Double.NaN);
        int[] array = {1};
        List<Object> values = List.of(
                new Empty(),
                all,
                new AllTypes(true, 'c', (byte) 4, (short) 5, 6, 7L, 8.5F, 9.5),
                zeros,
                new AllTypes(false, '\0', (byte) 0, (short) 0, 0, 0L, 0.0F, Double.NaN),
                new AllTypes(false, '\0', (byte) 0, (short) 0, 0, 0L, -0.0F, Double.NaN),
                new AllTypes(true, 'c', (byte) 4, (short) 5, 6, 7L, 8.5F, 9.0),
                new References(null, array, List.of(new Named("a"))),
                new References(null, array, List.of(new Named("a"))),
                new References("b", array, List.of()),
                new Own("a"),
                new Own("b"));
        for (int i = 0; i < values.size(); i++) {
            Object value = values.get(i);
            record("equal to record " + i, values.stream().map(value::equals).toList());
            results.put("text of record " + i, value.toString().replaceAll("@[0-9a-f]+", "@"));
        }
        record("hash of all", all.hashCode());
        record("hash of zeros", zeros.hashCode());
        record("hash of nothing", new Empty().hashCode());
        record(
                "hash of references",
                new References(null, array, List.of()).hashCode() - 31 * System.identityHashCode(array));
        record("null", Objects.equals(all, null));
        record("other", all.equals((Object) "text"));
    }

    private boolean isEmpty() {
        return ran.isEmpty();
    }

    private static int twice(int value) {
        return 2 * value;
    }

    private static double half(double value) {
        return value / 2;
    }
}

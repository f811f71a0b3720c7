package io.holdfast.packing;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
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

/** One lambda of each shape, and what all of them say. */
@SuppressWarnings("UnnecessaryLambda")
public final class Samples implements Callable<Map<String, String>> {

    private static final Supplier<String> STATIC = () -> "from the initializer";

    private final Map<String, String> said = new TreeMap<>();
    private final List<String> ran = new ArrayList<>();

    /** With a method that has a body and a lambda, and one that is private. */
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
        said.put("ran", ran.toString());
        return said;
    }

    private void say(String what, Object result) {
        said.put(what, result + " " + result.getClass().getSimpleName());
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
        say("nothing", nothing.get());
        say("captured", captured.get());
        say("nested", nested.call().get(0));
        say("curried", curried.apply(2).apply(3));
        say("static", STATIC.get());
        Supplier<String> first = again();
        say("same", again() == first);
        say("generic", largest(List.of(3, 9, 4), Comparator.naturalOrder()));
        say("serializable", ((Supplier<String> & Serializable) () -> text).get());
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
        say("privately", privately.apply("a").name());
        say("constructor", constructor.apply("b").name());
        say("array", array.apply(3).length);
        say("bound", bound.get());
        say("unbound", unbound.apply(named));
        say("comparison", comparison.compare("a", "b"));
        say("own", own.apply("x", "y"));
        say("interface", named.greeting().get());
        say("private in interface", Greeting.louder().apply("hey"));
        say("record", named.twice().get());
        say("super", new Child().above().get());
        try {
            say("valued", valued.call());
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
        say("boxed", boxed.apply(2));
        say("unboxed", unboxed.applyAsInt(3));
        say("widened", widened.applyAsLong(4));
        say("letter", letter.applyAsInt('a'));
        say("from int", fromInt.getAsLong());
        say("from Integer", fromInteger.getAsLong());
        say("from box", fromBox.getAsInt());
        say("real", real.applyAsDouble(3));
        say("text", text.apply(" stripped "));
        say("number", number.apply(12L));
        say("flag", flag.get());
        say("collected", Stream.of("b", "a").sorted().collect(Collectors.joining(",")));
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

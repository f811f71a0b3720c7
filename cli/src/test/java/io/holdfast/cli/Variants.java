package io.holdfast.cli;

import java.util.List;
import java.util.stream.Stream;

/** Variants of a test that prove nearly the same: the first ones in {@code verify}, all in the evidence. */
final class Variants {

    private Variants() {}

    /** Returns this many of the variants; in the profile {@code evidence} all of them. */
    static <T> List<T> first(int few, Stream<T> all) {
        return Boolean.getBoolean("holdfast.evidence")
                ? all.toList()
                : all.limit(few).toList();
    }
}

package io.holdfast.documents;

import io.holdfast.Holdfast;

/** The application that the tests in {@code docs/testing.md} test. */
final class Shop {

    Shop(Holdfast holdfast) {}

    boolean sell(String article) {
        return !article.isEmpty();
    }

    Sale begin(String article) {
        return () -> article.isEmpty();
    }

    interface Sale {
        boolean isStopped();
    }
}

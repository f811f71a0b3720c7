package io.holdfast.documents;

import io.holdfast.Holdfast;
import java.util.concurrent.CompletableFuture;

/** The application that the tests in {@code docs/testing.md} test. */
final class Shop {

    Shop(Holdfast holdfast) {}

    boolean sell(String article) {
        return !article.isEmpty();
    }

    Sale begin(String article) {
        return () -> CompletableFuture.completedFuture(article);
    }

    interface Sale {
        CompletableFuture<String> stopped();
    }
}

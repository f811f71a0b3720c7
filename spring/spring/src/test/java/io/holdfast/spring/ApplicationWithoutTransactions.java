package io.holdfast.spring;

import io.holdfast.Holdfast;
import io.holdfast.node.memory.InMemoryNode;
import io.holdfast.time.SystemTime;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Configuration;
import reactor.core.publisher.Mono;

/**
 * An application for a class loader without {@code spring-tx}, which {@link Application} needs. Returns what its calls
 * did.
 */
public final class ApplicationWithoutTransactions implements Callable<String> {

    @Configuration(proxyBeanMethods = false)
    @EnableHoldfastLocks
    static class Enabled {}

    /** Methods with locks. */
    static class Stock {

        @HoldfastLock("stock")
        public String take() {
            return "ran";
        }

        @HoldfastLock("stock")
        public Mono<String> takeLater() {
            return Mono.just("ran");
        }
    }

    @Override
    public String call() {
        try (SystemTime time = new SystemTime();
                AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
            InMemoryNode node = new InMemoryNode("a", time);
            context.setClassLoader(getClass().getClassLoader());
            context.registerBean(Holdfast.class, () -> Holdfast.forTesting(List.of(node), time, new Random(1)));
            context.register(Enabled.class, Stock.class);
            context.refresh();
            Stock stock = context.getBean(Stock.class);
            return "call: " + outcome(stock::take) + "; held: " + isHeld(node) + "; publisher: "
                    + outcome(() -> String.valueOf(stock.takeLater().block())) + "; held: " + isHeld(node);
        }
    }

    private static boolean isHeld(InMemoryNode node) {
        return node.ownerOf("stock") != null;
    }

    private static String outcome(Callable<String> call) {
        try {
            return call.call();
        } catch (Throwable failure) {
            return failure.getClass().getSimpleName();
        }
    }
}

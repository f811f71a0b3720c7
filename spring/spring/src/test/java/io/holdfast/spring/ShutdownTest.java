package io.holdfast.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Holdfast;
import io.holdfast.node.memory.InMemoryNode;
import io.holdfast.time.SystemTime;
import io.holdfast.time.Time;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Tests that beans can end their work under locks when the application stops. */
class ShutdownTest {

    static class Shop {
        @HoldfastLock("order")
        public String ship() {
            return CurrentLease.get().resource();
        }
    }

    /** Ends its work when it is destroyed, on its own thread. */
    static class Orders implements DisposableBean {

        private final Shop shop;
        private final ExecutorService worker = Executors.newSingleThreadExecutor();
        private final Queue<String> shipped = new ConcurrentLinkedQueue<>();

        Orders(Shop shop) {
            this.shop = shop;
        }

        @Override
        public void destroy() throws Exception {
            worker.submit(() -> shipped.add(shop.ship())).get();
            worker.shutdown();
        }
    }

    /** Is created after the beans that lock by annotations, so Spring would destroy it before them. */
    @Configuration(proxyBeanMethods = false)
    @EnableHoldfastLocks
    static class Client {

        @Bean
        Time time() {
            return new SystemTime();
        }

        @Bean
        Holdfast holdfast(Time time) {
            return Holdfast.forTesting(List.of(new InMemoryNode("a", time)), time, new Random(1));
        }
    }

    @Test
    void close_beanCreatedBeforeTheClient_endsItsWorkUnderTheLock() {
        Orders orders;
        try (AnnotationConfigApplicationContext context =
                new AnnotationConfigApplicationContext(Shop.class, Orders.class, Client.class)) {
            orders = context.getBean(Orders.class);
        }
        assertThat(orders.shipped).containsExactly("order");
    }
}

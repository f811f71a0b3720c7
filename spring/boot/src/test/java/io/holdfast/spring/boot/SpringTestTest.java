package io.holdfast.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Holdfast;
import io.holdfast.LockTimeoutException;
import io.holdfast.spring.HoldfastLock;
import io.holdfast.test.HoldfastExtension;
import io.holdfast.test.HoldfastTest;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Bean;

/** Tests the recipe of docs/recipes.md for an application with Spring. */
@SpringBootTest(
        classes = SpringTestTest.Application.class,
        properties = {
            "spring.main.web-application-type=none",
            "spring.main.banner-mode=off",
            "holdfast.nodes=redis://nowhere.invalid:6379",
            "holdfast.lock.wait-limit=0",
            "holdfast.leader.roles=a"
        })
@HoldfastTest
class SpringTestTest {

    /** The application. */
    @SpringBootConfiguration
    @ImportAutoConfiguration(HoldfastAutoConfiguration.class)
    static class Application {
        @Bean
        Shop shop() {
            return new Shop();
        }
    }

    /** A bean with a lock. */
    static class Shop {
        @HoldfastLock("last-piece")
        public String sell() {
            return "sold";
        }
    }

    @Test
    void sell_anotherShopSells_isRefused(
            @Autowired Shop shop, @Autowired Holdfast ofTheApplication, Holdfast own, HoldfastExtension locks) {
        assertThat(ofTheApplication).isSameAs(own);
        locks.heldElsewhere("last-piece");

        assertThatThrownBy(shop::sell).isInstanceOf(LockTimeoutException.class);
    }

    @Test
    void sell_nextTest_isGranted(@Autowired Shop shop) {
        assertThat(shop.sell()).isEqualTo("sold");
    }

    /** Has the same context, whose client the class around it must not close. */
    @Nested
    class Later {
        @Test
        void sell_lockIsTakenAway_isGrantedAgain(@Autowired Shop shop, HoldfastExtension locks) {
            locks.heldElsewhere("last-piece");
            locks.takeAway("last-piece");

            assertThat(shop.sell()).isEqualTo("sold");
        }
    }
}

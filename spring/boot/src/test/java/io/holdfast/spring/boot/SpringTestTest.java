package io.holdfast.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Holdfast;
import io.holdfast.LockTimeoutException;
import io.holdfast.spring.HoldfastLock;
import io.holdfast.test.HoldfastExtension;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.test.annotation.DirtiesContext;

/** Tests the recipe of docs/recipes.md for an application with Spring; its context ends with the class. */
@SpringBootTest(
        properties = {
            "spring.main.web-application-type=none",
            "spring.main.banner-mode=off",
            "holdfast.lock.wait-limit=0",
            "holdfast.leader.roles=a"
        })
@DirtiesContext
class SpringTestTest {

    @RegisterExtension
    static final HoldfastExtension locks = HoldfastExtension.inMemory();

    /** Takes the place of the client that the starter would connect. */
    @TestConfiguration
    static class Client {
        @Bean(destroyMethod = "")
        Holdfast holdfast() {
            return locks.holdfast();
        }
    }

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
    void sell_anotherShopSells_isRefused(@Autowired Shop shop, @Autowired Holdfast ofTheApplication, Holdfast own) {
        assertThat(ofTheApplication).isSameAs(own);
        locks.heldElsewhere("last-piece");

        assertThatThrownBy(shop::sell).isInstanceOf(LockTimeoutException.class);
    }

    @Test
    void sell_nextTest_isGranted(@Autowired Shop shop) {
        assertThat(shop.sell()).isEqualTo("sold");
    }
}

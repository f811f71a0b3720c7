package io.holdfast.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Holdfast;
import io.holdfast.test.HoldfastExtension;
import io.holdfast.test.HoldfastTest;
import org.junit.jupiter.api.RepeatedTest;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.test.annotation.DirtiesContext;

/** Tests the extension of JUnit with an application that Spring starts again for each test. */
@HoldfastTest
@SpringBootTest(
        classes = RenewedContextTest.Application.class,
        properties = {"spring.main.web-application-type=none", "spring.main.banner-mode=off"})
@DirtiesContext(classMode = DirtiesContext.ClassMode.AFTER_EACH_TEST_METHOD)
class RenewedContextTest {

    /** The application. */
    @SpringBootConfiguration
    @ImportAutoConfiguration(HoldfastAutoConfiguration.class)
    static class Application {}

    @RepeatedTest(2)
    void heldElsewhere_applicationIsRenewed_isHeldOnItsNodes(
            @Autowired Holdfast ofTheApplication, Holdfast own, HoldfastExtension locks) throws InterruptedException {
        assertThat(ofTheApplication).isSameAs(own);

        locks.heldElsewhere("last-piece");

        assertThat(ofTheApplication.lock("last-piece").tryAcquire()).isEmpty();
    }
}

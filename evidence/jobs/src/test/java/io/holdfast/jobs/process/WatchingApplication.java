package io.holdfast.jobs.process;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;

/** An application that runs no job, and shows those of others by its actuator. */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
class WatchingApplication {

    public static void main(String... arguments) {
        SpringApplication.run(WatchingApplication.class, arguments);
    }
}

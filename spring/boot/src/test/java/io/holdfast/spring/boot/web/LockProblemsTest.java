package io.holdfast.spring.boot.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Holdfast;
import io.holdfast.HoldfastOptions;
import io.holdfast.Lease;
import io.holdfast.LockOptions;
import io.holdfast.RestartPolicy;
import io.holdfast.node.memory.InMemoryNode;
import io.holdfast.time.SystemTime;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.http.converter.autoconfigure.HttpMessageConvertersAutoConfiguration;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.webflux.autoconfigure.WebFluxAutoConfiguration;
import org.springframework.boot.webmvc.autoconfigure.WebMvcAutoConfiguration;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.test.web.reactive.server.EntityExchangeResult;
import org.springframework.test.web.reactive.server.WebTestClient;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.MvcResult;
import org.springframework.test.web.servlet.request.MockMvcRequestBuilders;
import org.springframework.test.web.servlet.setup.MockMvcBuilders;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;

/** Tests the answers to requests whose lock was refused, in Spring MVC and WebFlux. */
class LockProblemsTest {

    private static final String PROPERTY = "holdfast.web.problem-details=true";
    /** The limit of Spring's test clients, which by itself is 5 or 10 s. */
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    private static final LockOptions NOW = LockOptions.builder()
            .waitLimit(Duration.ZERO)
            .lease(Duration.ofMinutes(10))
            .build();

    private final SystemTime time = new SystemTime();
    private final InMemoryNode node = new InMemoryNode("secret-host", time);
    private final Holdfast other = Holdfast.forTesting(List.of(node), time, new Random(1));
    private final Holdfast holdfast = Holdfast.forTesting(List.of(node), time, new Random(2));
    private final Holdfast quarantined = Holdfast.over(
            List.of(InMemoryNode.guarded("secret-host", time)),
            HoldfastOptions.builder()
                    .restarts(RestartPolicy.QUARANTINE)
                    .maxLease(Duration.ofHours(1))
                    .build(),
            time,
            new Random(3));

    private final WebApplicationContextRunner servlet = new WebApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    WebMvcAutoConfiguration.class,
                    JacksonAutoConfiguration.class,
                    HttpMessageConvertersAutoConfiguration.class,
                    HoldfastWebAutoConfiguration.class))
            .withBean(Requests.class, () -> new Requests(holdfast, quarantined));

    private final ReactiveWebApplicationContextRunner reactive = new ReactiveWebApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    WebFluxAutoConfiguration.class, JacksonAutoConfiguration.class, HoldfastWebAutoConfiguration.class))
            .withBean(Requests.class, () -> new Requests(holdfast, quarantined));

    @AfterEach
    void close() {
        other.close();
        holdfast.close();
        quarantined.close();
        time.close();
    }

    /** The controller of an application. */
    @RestController
    record Requests(Holdfast holdfast, Holdfast quarantined) {

        @GetMapping("/held")
        String held() throws InterruptedException {
            return holdfast.lock("customer:17", NOW).acquire().resource();
        }

        @GetMapping("/later")
        CompletableFuture<String> later() {
            return holdfast.lock("customer:17", NOW).acquireAsync().thenApply(Lease::resource);
        }

        @GetMapping("/one")
        Mono<String> one() {
            return Mono.fromFuture(this::later);
        }

        @GetMapping("/unreachable")
        String unreachable() throws InterruptedException {
            return quarantined.lock("customer:17", NOW).acquire().resource();
        }
    }

    private void holdElsewhere() throws InterruptedException {
        assertThat(other.lock("customer:17", NOW).acquire().isValid()).isTrue();
    }

    /** Time passes while the machine is busy. */
    private static void requireBetween(int least, int most, @Nullable String seconds) {
        assertThat(seconds).isNotNull();
        assertThat(Integer.parseInt(String.valueOf(seconds))).isBetween(least, most);
    }

    private static MockHttpServletResponse get(MockMvc mvc, String path) throws Exception {
        MvcResult result = mvc.perform(MockMvcRequestBuilders.get(path)).andReturn();
        if (!result.getRequest().isAsyncStarted()) {
            return result.getResponse();
        }
        result.getAsyncResult(PATIENCE.toMillis());
        return mvc.perform(MockMvcRequestBuilders.asyncDispatch(result))
                .andReturn()
                .getResponse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/held", "/later"})
    void mvc_heldElsewhere_answersLockedWithTheTimeOfTheLease(String path) throws InterruptedException {
        holdElsewhere();
        servlet.withPropertyValues(PROPERTY).run(context -> {
            MockHttpServletResponse response =
                    get(MockMvcBuilders.webAppContextSetup(context).build(), path);

            assertThat(response.getStatus()).isEqualTo(423);
            assertThat(response.getContentType()).isEqualTo(MediaType.APPLICATION_PROBLEM_JSON_VALUE);
            requireBetween(1, 600, response.getHeader(HttpHeaders.RETRY_AFTER));
            assertThat(response.getContentAsString())
                    .contains("\"status\":423", "Another request holds a lock that this one needs.")
                    .doesNotContain("customer", "secret-host");
        });
    }

    @Test
    void mvc_tooFewNodes_answersUnavailableWithTheEndOfTheQuarantine() {
        servlet.withPropertyValues(PROPERTY).run(context -> {
            MockHttpServletResponse response =
                    get(MockMvcBuilders.webAppContextSetup(context).build(), "/unreachable");

            assertThat(response.getStatus()).isEqualTo(503);
            requireBetween(601, 4000, response.getHeader(HttpHeaders.RETRY_AFTER));
            assertThat(response.getContentAsString())
                    .contains("\"status\":503")
                    .doesNotContain("customer", "secret-host");
        });
    }

    @ParameterizedTest
    @CsvSource({"/held, 423, 1, 600", "/later, 423, 1, 600", "/one, 423, 1, 600", "/unreachable, 503, 601, 4000"})
    void webFlux_refused_answersAsMvcDoes(String path, int status, int least, int most) throws InterruptedException {
        holdElsewhere();
        reactive.withPropertyValues(PROPERTY).run(context -> {
            EntityExchangeResult<String> result = WebTestClient.bindToApplicationContext(context)
                    .configureClient()
                    .responseTimeout(PATIENCE)
                    .build()
                    .get()
                    .uri(path)
                    .exchange()
                    .expectBody(String.class)
                    .returnResult();

            assertThat(result.getStatus().value()).isEqualTo(status);
            requireBetween(least, most, result.getResponseHeaders().getFirst(HttpHeaders.RETRY_AFTER));
            assertThat(result.getResponseHeaders().getContentType()).isEqualTo(MediaType.APPLICATION_PROBLEM_JSON);
            assertThat(result.getResponseBody())
                    .contains("\"status\":" + status)
                    .doesNotContain("customer", "secret-host");
        });
    }

    @Test
    void start_withoutTheProperty_leavesRefusalsToTheApplication() {
        servlet.run(context -> assertThat(context).doesNotHaveBean(LockProblems.class));
        reactive.run(context -> assertThat(context).doesNotHaveBean(LockProblems.class));
    }
}

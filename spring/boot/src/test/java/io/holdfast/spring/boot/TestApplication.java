package io.holdfast.spring.boot;

import io.holdfast.Holdfast;
import io.holdfast.servers.PatientOptions;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;

/** An application with a web server, of which a test asks the actuator over HTTP. */
public final class TestApplication implements AutoCloseable {

    private final HttpClient client = HttpClient.newHttpClient();
    private final ConfigurableApplicationContext context;

    private TestApplication(ConfigurableApplicationContext context) {
        this.context = context;
    }

    /** The application; Spring Data Redis is on the class path only because the module knows it. */
    @SpringBootConfiguration
    @EnableAutoConfiguration(
            excludeName = {
                "org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration",
                "org.springframework.boot.data.redis.autoconfigure.DataRedisReactiveAutoConfiguration"
            })
    static class Web {}

    /** The limits of {@link PatientOptions}. A test about other limits gives its own. */
    private static final Map<String, Object> PATIENT = Map.of(
            "holdfast.connect-timeout", PatientOptions.CLIENT.connectTimeout(),
            "holdfast.lock.lease", PatientOptions.LOCK.lease(),
            "holdfast.lock.node-timeout", PatientOptions.LOCK.nodeTimeout(),
            "holdfast.lock.wait-limit", PatientOptions.LOCK.waitLimit());

    /** Starts an application with these nodes and properties. */
    public static TestApplication start(List<String> nodes, String... properties) {
        List<String> all = new ArrayList<>(List.of(
                "--server.port=0",
                "--spring.main.banner-mode=off",
                "--logging.level.root=off",
                "--management.endpoint.health.show-details=always",
                "--holdfast.nodes=" + String.join(",", nodes)));
        Stream.of(properties).map("--"::concat).forEach(all::add);
        SpringApplication application = new SpringApplication(Web.class);
        application.setDefaultProperties(PATIENT);
        return new TestApplication(application.run(all.toArray(String[]::new)));
    }

    /** Returns the bean of this type. */
    public <T> T bean(Class<T> type) {
        return context.getBean(type);
    }

    /** Returns the client of the application. */
    public Holdfast holdfast() {
        return bean(Holdfast.class);
    }

    /** Sends a request to the actuator. */
    public HttpResponse<String> ask(String method, String path) throws IOException, InterruptedException {
        return send("/actuator/" + path, request -> request.method(method, HttpRequest.BodyPublishers.noBody()));
    }

    /** Sends a request to the port of the actuator. */
    public HttpResponse<String> send(String path, UnaryOperator<HttpRequest.Builder> request)
            throws IOException, InterruptedException {
        return send(
                request.apply(HttpRequest.newBuilder(uri("management", path))).build());
    }

    /** Sends a request. */
    public HttpResponse<String> send(HttpRequest request) throws IOException, InterruptedException {
        return client.send(request, HttpResponse.BodyHandlers.ofString());
    }

    /** Returns an address of the server, or of the one of the management. */
    public URI uri(String server, String path) {
        String port = Objects.requireNonNull(context.getEnvironment().getProperty("local." + server + ".port"));
        return URI.create("http://localhost:" + port + path);
    }

    /** Returns the answer of the actuator to a GET. */
    public String get(String path) throws IOException, InterruptedException {
        return ask("GET", path).body();
    }

    @Override
    public void close() {
        context.close();
    }
}

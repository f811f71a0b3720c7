package io.holdfast.inventory.demo;

import io.holdfast.servers.Eventually;
import io.holdfast.servers.FreePorts;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A shop in a process of its own, which can be stopped, resumed and restarted. */
public final class ShopProcess implements AutoCloseable {

    private static final Duration LONGEST_START = Duration.ofMinutes(10);
    private static final Duration LONGEST_SALE = Duration.ofMinutes(2);

    private final HttpClient client = HttpClient.newHttpClient();
    private final int port;
    private final ProcessBuilder command;
    private Process process;

    private ShopProcess(int port, List<String> command, Path log) throws IOException {
        this.port = port;
        this.command = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
        this.process = this.command.start();
    }

    /**
     * Starts a shop. Does not wait until it is ready.
     *
     * @param jar the application
     * @param log the file of its output
     */
    public static ShopProcess start(Path jar, String database, List<String> nodes, Path log, String... arguments)
            throws IOException {
        int port = FreePorts.next();
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-Xmx256m",
                "-jar",
                jar.toString(),
                "shop",
                "--server.port=" + port,
                "--server.tomcat.basedir=" + log.resolveSibling("tomcat-" + port),
                "--spring.datasource.url=" + database,
                "--holdfast.nodes=" + String.join(",", nodes)));
        command.addAll(List.of(arguments));
        return new ShopProcess(port, command, log);
    }

    /**
     * Waits until the shop answers.
     *
     * @throws IllegalStateException if it has ended
     */
    public void awaitReady() {
        Eventually.within(
                LONGEST_START,
                "the shop at port " + port + " is open",
                () -> !process.isAlive() || get("/paying").equals("0"));
        if (!process.isAlive()) {
            throw new IllegalStateException("The shop at port " + port + " did not start");
        }
    }

    /** Waits until a customer pays slowly: the sale has read the stock, and has not written it. */
    public void awaitSlowCustomer() {
        Eventually.eventually("a customer pays", () -> get("/paying").equals("1"));
    }

    /** Makes the customers that pay slowly finish. */
    public void endPayments() throws IOException, InterruptedException {
        HttpRequest request =
                request("/paying/end").POST(HttpRequest.BodyPublishers.noBody()).build();
        client.send(request, HttpResponse.BodyHandlers.discarding());
    }

    /** Returns the answer to a GET. */
    public String get(String path) throws IOException, InterruptedException {
        return client.send(request(path).build(), HttpResponse.BodyHandlers.ofString())
                .body();
    }

    /** Returns the answer of a sale, or its failure. */
    public CompletableFuture<String> sell(String way, String sku, long paymentMillis) {
        String path = "/sell/" + way + "/" + sku + "?paymentMillis=" + paymentMillis;
        HttpRequest request =
                request(path).POST(HttpRequest.BodyPublishers.noBody()).build();
        return client.sendAsync(request, HttpResponse.BodyHandlers.ofString()).thenApply(HttpResponse::body);
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create("http://localhost:" + port + path))
                .timeout(LONGEST_SALE);
    }

    /** Stops the process as a suspended machine does (STOP), or resumes it (CONT). */
    public void signal(String name) throws IOException, InterruptedException {
        new ProcessBuilder("kill", "-" + name, String.valueOf(process.pid()))
                .start()
                .waitFor();
    }

    /** Ends the process as a deployment does, and starts it again. Sales in progress are finished. */
    public void restart() throws IOException, InterruptedException {
        close();
        process = command.start();
        awaitReady();
    }

    /** Ends the process, and waits until it has ended. */
    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(30, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}

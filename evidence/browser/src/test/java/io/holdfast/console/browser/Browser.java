package io.holdfast.console.browser;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import tools.jackson.databind.json.JsonMapper;

/** A Chromium without a window, driven by the DevTools protocol, over the WebSocket of the JDK. */
public final class Browser implements AutoCloseable {

    static final JsonMapper JSON = JsonMapper.shared();
    static final HttpClient HTTP = HttpClient.newHttpClient();

    private static final List<Path> PROGRAMS = Stream.of(
                    "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome")
            .map(Path::of)
            .toList();

    private final Process process;
    private final Path profile;
    private final String address;
    private final List<Tab> tabs = new ArrayList<>();

    private Browser(Process process, Path profile, String address) {
        this.process = process;
        this.profile = profile;
        this.address = address;
    }

    /** Returns whether a Chromium is installed. */
    static boolean installed() {
        return PROGRAMS.stream().anyMatch(Files::isExecutable);
    }

    /** Starts a browser with an empty profile. */
    static Browser start() throws IOException {
        Path program = PROGRAMS.stream().filter(Files::isExecutable).findFirst().orElseThrow();
        Path profile = Files.createTempDirectory("holdfast-browser");
        Process process = new ProcessBuilder(
                        program.toString(),
                        "--headless=new",
                        "--no-sandbox",
                        "--disable-gpu",
                        "--disable-dev-shm-usage",
                        "--no-first-run",
                        "--hide-scrollbars",
                        "--disable-background-networking",
                        "--remote-debugging-port=0",
                        "--user-data-dir=" + profile,
                        "about:blank")
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        return new Browser(process, profile, address(process));
    }

    /** The browser writes where it listens, and then little. */
    private static String address(Process process) throws IOException {
        String marker = "DevTools listening on ws://";
        StringBuilder read = new StringBuilder();
        BufferedReader lines = process.errorReader();
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            if (line.startsWith(marker)) {
                drain(lines);
                return line.substring(marker.length(), line.indexOf('/', marker.length()));
            }
            read.append(line).append('\n');
        }
        throw new IOException("the browser does not start: " + read);
    }

    private static void drain(BufferedReader lines) {
        Thread reader = new Thread(
                () -> {
                    try (lines) {
                        lines.transferTo(Writer.nullWriter());
                    } catch (IOException e) {
                        // The browser has ended.
                    }
                },
                "browser-log");
        reader.setDaemon(true);
        reader.start();
    }

    /** Opens a page of this size, and waits until it has rendered. */
    public Tab open(URI page, int width, int height) throws IOException, InterruptedException {
        URI create = URI.create("http://" + address + "/json/new?about:blank");
        String answer = HTTP.send(
                        HttpRequest.newBuilder(create)
                                .PUT(HttpRequest.BodyPublishers.noBody())
                                .build(),
                        HttpResponse.BodyHandlers.ofString())
                .body();
        Tab tab = Tab.connect(
                URI.create(JSON.readTree(answer).get("webSocketDebuggerUrl").asString()));
        tabs.add(tab);
        tab.resize(width, height);
        tab.go(page);
        return tab;
    }

    @Override
    public void close() throws IOException {
        tabs.forEach(Tab::close);
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly().onExit().join();
        try (Stream<Path> files = Files.walk(profile)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        }
    }
}

package io.holdfast.console;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;

/** The files of the page: those beside this class, and the library that draws it. */
final class PageFiles {

    /** The folder of the library on the class path, into whose name the build writes the version. */
    private static final String WEBJAR = new String(own("library-folder"), StandardCharsets.UTF_8).strip();

    /** The files of the library by their paths, which have no version, so that the page need not know it. */
    private static final Map<String, String> LIBRARY = Map.of(
            "lib/preact.js", WEBJAR + "dist/preact.umd.js",
            "lib/hooks.js", WEBJAR + "hooks/dist/hooks.umd.js");

    private static final Map<String, String> TYPES = Map.of(
            "html", "text/html; charset=utf-8",
            "css", "text/css; charset=utf-8",
            "js", "text/javascript; charset=utf-8",
            "svg", "image/svg+xml");

    private static final Pattern OWN = Pattern.compile("[a-z-]+\\.(?:html|css|js|svg)");
    private static final String INDEX = "index.html";

    private PageFiles() {}

    /** Returns the file with this path; of the page itself for an empty one. Empty if there is no such file. */
    static Optional<ConsoleResponse> find(String path) {
        String name = path.isEmpty() ? INDEX : path;
        String inLibrary = LIBRARY.get(name);
        if (inLibrary == null && !OWN.matcher(name).matches()) {
            return Optional.empty();
        }
        try (InputStream file = inLibrary == null
                ? PageFiles.class.getResourceAsStream("page/" + name)
                : Objects.requireNonNull(PageFiles.class.getClassLoader()).getResourceAsStream(inLibrary)) {
            return file == null
                    ? Optional.empty()
                    : Optional.of(ConsoleResponse.of(200, type(name), file.readAllBytes()));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read the file " + name + " of the console's page", e);
        }
    }

    /** Returns the description of the API. */
    static ConsoleResponse description() {
        return ConsoleResponse.of(200, "application/json", own("openapi.json"));
    }

    private static byte[] own(String name) {
        try (InputStream file = Objects.requireNonNull(PageFiles.class.getResourceAsStream(name))) {
            return file.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read the file " + name + " of the console", e);
        }
    }

    private static String type(String name) {
        return Objects.requireNonNull(TYPES.get(name.substring(name.lastIndexOf('.') + 1)));
    }
}

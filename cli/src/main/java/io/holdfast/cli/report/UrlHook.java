package io.holdfast.cli.report;

import io.holdfast.cli.file.DaemonCall;
import io.holdfast.time.ThreadWait;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.MalformedURLException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * A hook that fetches an address by GET, as monitors such as healthchecks.io expect. Messages name the host only, since
 * the rest of such an address is a secret.
 */
final class UrlHook implements Hook.Action {

    private static final int TIMEOUT_MILLIS = (int) Duration.ofSeconds(5).toMillis();

    /** A single packet that is lost must not cause an alarm. */
    private static final int ATTEMPTS = 2;

    private static final int FIRST_SUCCESS = 200;
    private static final int FIRST_REDIRECTION = 300;
    private static final int FIRST_ERROR = 400;
    private static final int FIRST_SERVER_ERROR = 500;

    private static final int GREATEST_PORT = 65_535;

    /** The longest attempt. The limits of Java concern one packet each, and not the name of the host. */
    private static final Duration LIMIT = Duration.ofSeconds(10);

    /** The schemes of addresses that a user may expect to be fetched; as commands, they cannot be found. */
    private static final Set<String> OTHER_SCHEMES = Set.of("ftp", "ftps", "file", "ws", "wss", "redis", "rediss");

    private final URL url;
    private final Duration limit;

    UrlHook(String text) {
        this(text, LIMIT);
    }

    /** Creates a hook each of whose attempts ends within this limit. */
    UrlHook(String text, Duration limit) {
        this.limit = limit;
        if (OTHER_SCHEMES.contains(scheme(text))) {
            throw new IllegalArgumentException(
                    "an address of " + scheme(text) + " cannot be fetched; write one of http or https, or a command");
        }
        try {
            url = new URI(text).toURL();
        } catch (URISyntaxException | MalformedURLException e) {
            throw new IllegalArgumentException("not a valid address; write it as https://HOST/PATH", e);
        }
        if (url.getHost().isEmpty()) {
            throw new IllegalArgumentException("not a valid address: it names no host");
        } else if (url.getPort() == 0 || url.getPort() > GREATEST_PORT) {
            throw new IllegalArgumentException("not a valid address: correct its port, a number from 1 to 65535");
        }
    }

    /** Returns whether the text is an address, and not a command. */
    static boolean isUrl(String text) {
        String scheme = scheme(text);
        return scheme.equals("http") || scheme.equals("https") || OTHER_SCHEMES.contains(scheme);
    }

    private static String scheme(String text) {
        return text.substring(0, Math.max(0, text.indexOf("://"))).toLowerCase(Locale.ROOT);
    }

    @Override
    public @Nullable String execute(CommandReport report) {
        String failure = null;
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            try {
                int code = fetch();
                failure = failure(code);
                if (code >= 0 && code < FIRST_SERVER_ERROR) {
                    return failure;
                }
            } catch (UnknownHostException e) {
                failure = "the host " + host() + " is unknown";
            } catch (IOException e) {
                failure = host() + ": " + e.getMessage();
            }
        }
        return failure;
    }

    /** Returns why this reply is a failure, or null. Java follows a redirection only within http or https. */
    private @Nullable String failure(int code) {
        if (code >= FIRST_SUCCESS && code < FIRST_REDIRECTION) {
            return null;
        }
        if (code < 0) {
            return host() + " did not reply in HTTP";
        }
        boolean isRedirection = code >= FIRST_REDIRECTION && code < FIRST_ERROR;
        return host() + " replied " + code + (isRedirection ? "; write the address that it redirects to" : "");
    }

    private String host() {
        return url.getHost();
    }

    /** Returns the code of the reply. A thread that gets none ends with this process. */
    private int fetch() throws IOException {
        CompletableFuture<Integer> code = DaemonCall.begin("holdfast-hook", this::request);
        // A signal that came earlier must not keep a monitor from a success.
        if (!ThreadWait.uninterruptibly(ThreadWait::park, code, limit)) {
            throw new SocketTimeoutException("no complete reply within " + limit.toSeconds() + " s");
        }
        try {
            return ThreadWait.resultOf(code);
        } catch (CompletionException e) {
            if (e.getCause() instanceof IOException failed) {
                throw failed;
            }
            throw e;
        }
    }

    private int request() throws IOException {
        HttpURLConnection connection = (HttpURLConnection) url.openConnection();
        connection.setConnectTimeout(TIMEOUT_MILLIS);
        connection.setReadTimeout(TIMEOUT_MILLIS);
        connection.setUseCaches(false);
        try {
            return connection.getResponseCode();
        } finally {
            connection.disconnect();
        }
    }
}

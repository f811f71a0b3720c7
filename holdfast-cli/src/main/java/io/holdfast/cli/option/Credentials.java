package io.holdfast.cli.option;

import io.holdfast.cli.ExitCode;
import io.holdfast.cli.Failure;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A user and a password for all addresses that have none: by environment or file, since all users of a machine see what is given. */
public record Credentials(String user, @Nullable String password) {

    public static final String PASSWORD_VARIABLE = "HOLDFAST_PASSWORD";

    /** From what is given, if anything is. */
    static Optional<Credentials> of(
            Optional<String> user, Optional<String> passwordFile, Map<String, String> environment) {
        Optional<String> password = passwordFile
                .map(Credentials::read)
                .or(() ->
                        Optional.ofNullable(environment.get(PASSWORD_VARIABLE)).filter(given -> !given.isEmpty()));
        return user.isEmpty() && password.isEmpty()
                ? Optional.empty()
                : Optional.of(new Credentials(user.orElse(""), password.orElse(null)));
    }

    private static String read(String file) {
        try {
            return Files.readString(Path.of(file)).strip();
        } catch (IOException e) {
            throw new Failure(ExitCode.USAGE, "the password file " + file + " cannot be read: " + e.getMessage());
        }
    }

    /** The address with these, unless it has its own. */
    String in(String address) {
        int start = address.indexOf("://") + "://".length();
        if (start < "://".length() || address.indexOf('@') >= 0) {
            return address;
        }
        String secret = password == null ? "" : ":" + encoded(password);
        return address.substring(0, start) + encoded(user) + secret + "@" + address.substring(start);
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}

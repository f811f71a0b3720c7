package io.holdfast.cli.option;

import io.holdfast.cli.exit.ExitCode;
import io.holdfast.cli.exit.Failure;
import io.holdfast.cli.file.InputFile;
import io.holdfast.cli.file.Unreadable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The user and password for all addresses without their own. The password comes from the environment or a file, because
 * all users of a machine see the arguments of a process.
 */
public record Credentials(String user, @Nullable String password) {

    public static final String PASSWORD_VARIABLE = "HOLDFAST_PASSWORD";

    /** Returns the credentials, or empty if neither a user nor a password is set. */
    static Optional<Credentials> of(
            Optional<String> user, Optional<String> passwordFile, Map<String, String> environment) {
        Optional<String> password = passwordFile
                .map(Credentials::read)
                .or(() ->
                        Optional.ofNullable(environment.get(PASSWORD_VARIABLE)).filter(value -> !value.isEmpty()));
        return user.isEmpty() && password.isEmpty()
                ? Optional.empty()
                : Optional.of(new Credentials(user.orElse(""), password.orElse(null)));
    }

    private static String read(String file) {
        try {
            String password = InputFile.text(Path.of(file)).strip();
            if (password.isEmpty()) {
                throw new Failure(ExitCode.USAGE, "the password file " + file + " is empty");
            }
            return password;
        } catch (IOException e) {
            throw Unreadable.of("the password file " + file, e);
        }
    }

    /**
     * Returns the same for connections to servers.
     *
     * @throws Failure if the user has no password
     */
    io.holdfast.security.Credentials ofServers() {
        if (password == null) {
            throw new Failure(
                    ExitCode.USAGE,
                    "the user '" + user + "' has no password; set " + PASSWORD_VARIABLE + " or give --password-file");
        }
        return new io.holdfast.security.Credentials(user, password);
    }
}

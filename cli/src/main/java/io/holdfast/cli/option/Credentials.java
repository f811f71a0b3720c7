package io.holdfast.cli.option;

import io.holdfast.cli.exit.ExitCode;
import io.holdfast.cli.exit.Failure;
import io.holdfast.cli.file.InputFile;
import io.holdfast.cli.file.Unreadable;
import io.holdfast.cli.syntax.CommandOption;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The user and password for all addresses without their own, or for all Sentinels. The password comes from the
 * environment or a file, because all users of a machine see the arguments of a process.
 */
public record Credentials(String user, @Nullable String password, Source source) {

    public static final String PASSWORD_VARIABLE = "HOLDFAST_PASSWORD";
    public static final String SENTINEL_PASSWORD_VARIABLE = "HOLDFAST_SENTINEL_PASSWORD";

    static final CommandOption USER = CommandOption.of(
            "--user",
            "NAME",
            "The user of the servers, for addresses without one. Its password: the variable " + PASSWORD_VARIABLE
                    + " or --password-file.");
    static final CommandOption PASSWORD_FILE =
            CommandOption.of("--password-file", "FILE", "A file that contains only the password.");
    static final CommandOption SENTINEL_USER = CommandOption.of(
            "--sentinel-user",
            "NAME",
            "The user of the Sentinels. Its password: the variable " + SENTINEL_PASSWORD_VARIABLE
                    + " or --sentinel-password-file. Default: the default user.");
    static final CommandOption SENTINEL_PASSWORD_FILE = CommandOption.of(
            "--sentinel-password-file",
            "FILE",
            "A file that contains only the password of the Sentinels. Default: they require none.");

    /**
     * For which servers a user and a password are.
     *
     * @param variable the variable of the password
     */
    public record Source(CommandOption user, CommandOption passwordFile, String variable) {

        static final Source SERVERS = new Source(USER, PASSWORD_FILE, PASSWORD_VARIABLE);
        static final Source SENTINELS = new Source(SENTINEL_USER, SENTINEL_PASSWORD_FILE, SENTINEL_PASSWORD_VARIABLE);
    }

    /**
     * Returns the credentials, or empty if neither a user nor a password is set.
     *
     * @param setting returns the value of an option
     */
    static Optional<Credentials> of(
            Source source, Function<CommandOption, Optional<String>> setting, Map<String, String> environment) {
        Optional<String> user = setting.apply(source.user);
        Optional<String> password = setting.apply(source.passwordFile)
                .map(Credentials::read)
                .or(() -> Optional.ofNullable(environment.get(source.variable)).filter(value -> !value.isEmpty()));
        return user.isEmpty() && password.isEmpty()
                ? Optional.empty()
                : Optional.of(new Credentials(user.orElse(""), password.orElse(null), source));
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
                    "the user '" + user + "' has no password; set " + source.variable + " or give "
                            + source.passwordFile.name());
        }
        return new io.holdfast.security.Credentials(user, password);
    }
}

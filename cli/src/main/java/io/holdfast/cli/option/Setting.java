package io.holdfast.cli.option;

import io.holdfast.cli.output.Terminal;
import io.holdfast.cli.syntax.Arguments;
import io.holdfast.cli.syntax.CommandOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A setting of the servers, and the place from which it was taken.
 *
 * @param name as in a configuration file
 * @param value the value, without a password; empty if there is none
 * @param source an option, a variable, a file or {@code default}
 */
public record Setting(String name, String value, String source) {

    /**
     * Creates a setting that can be printed on a terminal: without control characters, and without the password of an
     * address that was given in a wrong place.
     */
    public Setting {
        value = Terminal.withoutPasswords(Terminal.printable(value));
        source = Terminal.printable(source);
    }

    private static final String DEFAULT = "default";
    private static final String HOST = "(?:[\\w.-]+|\\[[\\p{XDigit}:.]+])(?::\\d{1,5})?";

    /** A valid address. The scheme and the place, behind the user and the password, contain no secret. */
    private static final Pattern ADDRESS = Pattern.compile("(?<scheme>redis[a-z-]*://)(?:.*@)?(?<place>" + HOST + "(?:,"
            + HOST + ")*(?:/\\d+)?(?:\\?[a-z]+=[a-z-]+)?(?:(?<=sentinel.{1,999})#[\\w.-]+)?)");

    private static final Map<String, String> VARIABLES =
            Map.of("nodes", NodesOptions.VARIABLE, "previous-nodes", NodesOptions.PREVIOUS_VARIABLE);
    private static final Map<String, String> DEFAULTS =
            Map.of("max-lease", "1m", "restarts", "quarantine from three servers on");

    /** Returns all settings as the command line, the environment and the configuration file give them. */
    public static List<Setting> all(Arguments arguments) {
        ConfigFile config = ConfigFile.find(System.getenv(), NodesOptions.FILE_OPTIONS);
        List<Setting> settings = new ArrayList<>();
        settings.add(new Setting(
                "configuration file", config.path().map(Path::toString).orElse("none"), ""));
        NodesOptions.OPTIONS.stream()
                .filter(CommandOption::hasValue)
                .map(option -> of(option, arguments, config))
                .forEach(settings::add);
        for (Credentials.Source source : List.of(Credentials.Source.SERVERS, Credentials.Source.SENTINELS)) {
            settings.add(password(source, settings));
        }
        return settings;
    }

    private static Setting of(CommandOption option, Arguments arguments, ConfigFile config) {
        String variable = VARIABLES.getOrDefault(option.key(), "");
        Optional<String> given = arguments.text(option);
        Optional<String> fromEnvironment = variable(variable);
        Optional<String> fromFile = config.get(option.key());
        String source = given.isPresent()
                ? option.name()
                : fromEnvironment.isPresent()
                        ? variable
                        : fromFile.isPresent()
                                ? config.path().map(Path::toString).orElse("")
                                : DEFAULT;
        if (isIgnored(option, arguments) && !source.equals(DEFAULT)) {
            return new Setting(option.key(), "", source + " has no effect: it is not beside the nodes");
        }
        String value =
                given.or(() -> fromEnvironment).or(() -> fromFile).orElse(DEFAULTS.getOrDefault(option.key(), ""));
        return new Setting(option.key(), VARIABLES.containsKey(option.key()) ? withoutPasswords(value) : value, source);
    }

    private static boolean isIgnored(CommandOption option, Arguments arguments) {
        AddressSource previous = AddressSource.PREVIOUS_NODES;
        return option.equals(previous.option()) && !previous.hasEffectBeside(AddressSource.NODES, arguments);
    }

    private static Optional<String> variable(String name) {
        return Optional.ofNullable(System.getenv(name)).filter(value -> !value.isEmpty());
    }

    /**
     * Returns the addresses without user and password; none of them if one is not valid, because any part of the list
     * may then belong to a password.
     */
    private static String withoutPasswords(String nodes) {
        List<String> shown = new ArrayList<>();
        for (String address : AddressList.split(nodes)) {
            Matcher parts = ADDRESS.matcher(address);
            if (!parts.matches()) {
                return "(address " + (shown.size() + 1) + " is not valid)";
            }
            shown.add(parts.group("scheme") + (address.contains("@") ? "...@" : "") + parts.group("place"));
        }
        return String.join(",", shown);
    }

    private static Setting password(Credentials.Source source, List<Setting> settings) {
        String option = source.passwordFile().key();
        String name = option.substring(0, option.lastIndexOf('-'));
        return settings.stream()
                .filter(setting -> setting.name.equals(option) && !setting.value.isEmpty())
                .map(file -> new Setting(name, "set", file.value))
                .findFirst()
                .or(() -> variable(source.variable()).map(set -> new Setting(name, "set", source.variable())))
                .orElse(new Setting(name, "", DEFAULT));
    }
}

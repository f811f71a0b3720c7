package io.holdfast.benchmarks.server;

import io.holdfast.servers.RedisServer;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * The work of a Redis server since it started.
 *
 * @param cpuMicros the time of a processor, in µs
 * @param calls the calls of each command, those by scripts included
 * @param scriptMicros the time in scripts, in µs
 * @param bytes what it received and sent, the replies to this class included
 */
public record NodeStatistics(double cpuMicros, Map<String, Long> calls, double scriptMicros, double bytes) {

    /** The statistics of a server that has done nothing. */
    public static final NodeStatistics NONE = new NodeStatistics(0, Map.of(), 0, 0);

    private static final Set<String> SCRIPTS = Set.of("eval", "evalsha", "fcall");
    private static final double MICROS = 1_000_000;

    public NodeStatistics {
        calls = Map.copyOf(calls);
    }

    /** Asks the server. */
    public static NodeStatistics of(RedisServer server) {
        String cpu = String.valueOf(server.exec("INFO", "cpu"));
        Map<String, Long> calls = new HashMap<>();
        double scriptMicros = 0;
        for (String line :
                String.valueOf(server.exec("INFO", "commandstats")).lines().toList()) {
            if (line.startsWith("cmdstat_")) {
                String command = line.substring("cmdstat_".length(), line.indexOf(':'));
                calls.put(command, (long) field(line, "calls="));
                scriptMicros += SCRIPTS.contains(command) ? field(line, "usec=") : 0;
            }
        }
        double seconds = lineValue(cpu, "used_cpu_user:") + lineValue(cpu, "used_cpu_sys:");
        String stats = String.valueOf(server.exec("INFO", "stats"));
        double bytes = lineValue(stats, "total_net_input_bytes:") + lineValue(stats, "total_net_output_bytes:");
        return new NodeStatistics(seconds * MICROS, calls, scriptMicros, bytes);
    }

    /** Asks the server for the number in the line of this section that begins with the name. */
    public static double info(RedisServer server, String section, String name) {
        return lineValue(String.valueOf(server.exec("INFO", section)), name);
    }

    private static double lineValue(String info, String name) {
        return info.lines()
                .filter(line -> line.startsWith(name))
                .mapToDouble(line -> Double.parseDouble(line.substring(name.length())))
                .sum();
    }

    private static double field(String line, String name) {
        int begin = line.indexOf(name) + name.length();
        int end = line.indexOf(',', begin);
        return Double.parseDouble(line.substring(begin, end < 0 ? line.length() : end));
    }

    /** Returns what has been done since the earlier statistics. */
    public NodeStatistics since(NodeStatistics earlier) {
        Map<String, Long> more = new HashMap<>();
        calls.forEach((command, count) -> more.put(command, count - earlier.calls.getOrDefault(command, 0L)));
        return new NodeStatistics(
                cpuMicros - earlier.cpuMicros, more, scriptMicros - earlier.scriptMicros, bytes - earlier.bytes);
    }

    /** Returns the number of scripts. */
    public long scripts() {
        return SCRIPTS.stream().mapToLong(name -> calls.getOrDefault(name, 0L)).sum();
    }

    /** Returns the number of commands, those by scripts included; this class asks with three. */
    public long commands() {
        return calls.values().stream().mapToLong(count -> count).sum();
    }

    /** Returns the calls of commands that change data, those by scripts included. */
    public long writes(RedisServer server) {
        Set<String> writing = new HashSet<>();
        calls.forEach((command, count) -> {
            if (count > 0 && isWrite(server, command)) {
                writing.add(command);
            }
        });
        return writing.stream().mapToLong(name -> calls.getOrDefault(name, 0L)).sum();
    }

    private static boolean isWrite(RedisServer server, String command) {
        String flags = String.valueOf(server.exec("COMMAND", "INFO", command.replaceAll("\\|.*", "")));
        // Scripts may write; the commands that they call are counted.
        return flags.contains("write") && !SCRIPTS.contains(command);
    }
}

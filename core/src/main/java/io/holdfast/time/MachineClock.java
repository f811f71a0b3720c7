package io.holdfast.time;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The clock of this machine that all its processes share, on Linux. */
final class MachineClock {

    private static final Path START = Path.of("/proc/sys/kernel/random/boot_id");
    private static final Path UPTIME = Path.of("/proc/uptime");
    /** The processes of a container may have a clock with another offset. */
    private static final Path OFFSET = Path.of("/proc/self/ns/time");

    private static final Pattern SECONDS = Pattern.compile("(\\d{1,12})\\.(\\d\\d) .*", Pattern.DOTALL);

    private MachineClock() {}

    /** Returns a reading, or null where the system does not offer one. */
    static @Nullable MachineReading read() {
        try {
            Matcher uptime = SECONDS.matcher(Files.readString(UPTIME));
            String start = Files.readString(START).strip();
            if (!uptime.matches() || !start.matches("[0-9a-f-]{36}")) {
                return null;
            }
            String offset = Files.exists(OFFSET)
                    ? Files.readSymbolicLink(OFFSET).toString().replaceAll("\\D", "")
                    : "";
            long hundredths = Long.parseLong(uptime.group(1)) * 100 + Long.parseLong(uptime.group(2));
            return new MachineReading(start + "/" + offset, Duration.ofMillis(hundredths * 10));
        } catch (IOException | RuntimeException e) {
            return null;
        }
    }
}

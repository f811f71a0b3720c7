package io.holdfast.cli.output;

import io.holdfast.admin.LockStatus;
import io.holdfast.lease.ClientDescription;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The note that a holder writes on the nodes, so that others can find out who holds the lock. */
public final class HolderNote {

    private static final int LONGEST_COMMAND = 60;
    private static final String INSTANT = "since (\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(?:\\.\\d+)?Z)";
    private static final String TODAY = "HH:mm:ss";
    private static final String EARLIER = "yyyy-MM-dd HH:mm:ss";

    private HolderNote() {}

    /**
     * Describes a process of this machine and its command, such as {@code root@web3, pid 4066 (backup.sh) since
     * 2026-11-22T03:08:21Z}. Omits the arguments of the command, which may be secret.
     *
     * @param pid the process id that the user sees
     */
    public static String of(String command, long pid) {
        String program = ClientDescription.shortened(command, LONGEST_COMMAND);
        return user() + ", pid " + pid + " (" + Terminal.printable(program) + ")" + sinceNow();
    }

    /** Describes the user of this process, who breaks a lock now, such as {@code root@web3 since ...}. */
    public static String ofBreaker() {
        return user() + sinceNow();
    }

    /** Returns the user and the machine, such as {@code root@web3}. */
    public static String user() {
        return System.getProperty("user.name") + "@" + ClientDescription.host();
    }

    private static String sinceNow() {
        return " since " + Instant.now().truncatedTo(ChronoUnit.SECONDS);
    }

    /** Returns by whom and when a free lock was broken, such as {@code root@web3 at 03:08:21}; empty if unknown. */
    static String removal(LockStatus status) {
        return readable(status.removalNote(), Instant.now(), ZoneId.systemDefault())
                .replace(" since ", " at ");
    }

    /** Returns a note with its time in the reader's time zone, without the date if that is the reader's. */
    static String readable(String note, Instant now, ZoneId zone) {
        String text = Terminal.printable(note);
        Matcher since = Pattern.compile(INSTANT).matcher(text);
        try {
            LocalDateTime today = LocalDateTime.ofInstant(now, zone);
            return since.replaceAll(found -> {
                LocalDateTime then = LocalDateTime.ofInstant(Instant.parse(found.group(1)), zone);
                boolean isToday = then.toLocalDate().equals(today.toLocalDate());
                return "since " + then.format(DateTimeFormatter.ofPattern(isToday ? TODAY : EARLIER, Locale.ROOT));
            });
        } catch (DateTimeException notATime) {
            return text;
        }
    }
}

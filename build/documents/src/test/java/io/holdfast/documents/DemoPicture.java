package io.holdfast.documents;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Draws a run of {@code holdfast demo --json} as an SVG: the servers above, the holders of the lock below. It needs
 * nothing but Java; {@code build/demo-picture} starts it from its source.
 */
final class DemoPicture {

    private static final Pattern EVENT =
            Pattern.compile("\"millis\":(\\d+),\"subject\":\"([^\"]*)\",\"change\":\"([^\"]*)\",\"text\":\"([^\"]*)\"");
    private static final int LEFT = 92;
    private static final int RIGHT = 842;
    private static final int TOP = 48;
    private static final int ROW = 28;
    private static final int BAR = 20;
    private static final int GAP = 16;
    private static final List<String> ROWS =
            List.of("server 1", "server 2", "server 3", "worker A", "worker B", "worker C");
    private static final String STYLE = """
            .back { fill: #ffffff } text { fill: #1f2328 } text.dim { fill: #59636e } text.on { fill: #ffffff }
            .up { fill: #838f9a } .frozen { fill: #c9d1d9 } .held { fill: #1f6f8b } .lost { stroke: #c4320a }
            text.note { fill: #c4320a } .axis { stroke: #c9d1d9 }
            @media (prefers-color-scheme: dark) {
            .back { fill: #16181d } text { fill: #e6edf3 } text.dim { fill: #a3adb8 } text.on { fill: #16181d }
            .up { fill: #8b959f } .frozen { fill: #3a424b } .held { fill: #4fb0cf } .lost { stroke: #ff8a65 }
            text.note { fill: #ff8a65 } .axis { stroke: #3a424b }
            }
            """;

    /** The state after each change; after any other one, there is no bar. */
    private static final Map<String, String> STATES =
            Map.of("holds", "held", "frozen", "frozen", "thawed", "up", "restarted", "up");

    private final List<Event> events;
    private final long end;
    private final StringBuilder svg = new StringBuilder();

    private record Event(long millis, String subject, String change, String text) {}

    private DemoPicture(List<Event> events) {
        this.events = events;
        this.end = events.get(events.size() - 1).millis();
    }

    public static void main(String[] files) throws IOException {
        Files.writeString(Path.of(files[1]), draw(Files.readString(Path.of(files[0]))));
    }

    /**
     * Returns the picture of a run.
     *
     * @throws IllegalArgumentException if two workers hold the lock at a time
     */
    static String draw(String run) {
        List<Event> events = new ArrayList<>();
        Matcher matcher = EVENT.matcher(run);
        while (matcher.find()) {
            events.add(
                    new Event(Long.parseLong(matcher.group(1)), matcher.group(2), matcher.group(3), matcher.group(4)));
        }
        checkHolders(events);
        return new DemoPicture(events).picture();
    }

    private static void checkHolders(List<Event> events) {
        String holder = "";
        for (Event event : events) {
            if (event.change().equals("holds")) {
                if (!holder.isEmpty()) {
                    throw new IllegalArgumentException(holder + " and " + event.subject() + " hold the lock");
                }
                holder = event.subject();
            } else if (event.subject().equals(holder)) {
                holder = "";
            }
        }
    }

    private String picture() {
        int height = y(ROWS.size()) + 50;
        line(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"860\" height=\"%1$d\" viewBox=\"0 0 860 %1$d\""
                        + " font-family=\"system-ui, sans-serif\" font-size=\"13\" role=\"img\">",
                height);
        line("<title>Who holds the lock while servers fail</title>");
        line("<style>\n" + STYLE + "</style>");
        line("<rect class=\"back\" width=\"100%%\" height=\"100%%\" rx=\"6\"/>");
        line("<text x=\"12\" y=\"28\" font-weight=\"bold\" font-size=\"15\">Three workers, one lock, three servers"
                + " that fail</text>");
        long begin = events.get(0).millis();
        for (int second = 0; begin + second * 1_000L <= end; second++) {
            double x = x(begin + second * 1_000L);
            line("<path class=\"axis\" d=\"M%.1f %dV%d\"/>", x, TOP - 8, y(ROWS.size()));
            line(
                    "<text class=\"dim\" x=\"%.1f\" y=\"%d\" font-size=\"11\" text-anchor=\"middle\">%d s</text>",
                    x, y(ROWS.size()) + 12, second);
        }
        ROWS.forEach(this::bars);
        events.forEach(this::label);
        Event last = events.get(events.size() - 1);
        line("<text x=\"12\" y=\"%d\">%s</text>", height - 12, last.text());
        return svg.append("</svg>\n").toString();
    }

    private void bars(String name) {
        int y = y(ROWS.indexOf(name));
        line("<text x=\"12\" y=\"%d\">%s</text>", y + 15, name);
        boolean isServer = name.startsWith("server");
        String state = isServer ? "up" : "";
        long since = events.get(0).millis();
        for (Event event : events) {
            if (event.subject().equals(name)) {
                bar(state, since, event.millis(), y);
                state = STATES.getOrDefault(event.change(), "");
                since = event.millis();
            }
        }
        bar(state, since, end, y);
    }

    private void bar(String state, long from, long to, int y) {
        if (!state.isEmpty()) {
            line(
                    "<rect class=\"%s\" x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\" rx=\"2\"/>",
                    state, x(from), y, x(to) - x(from), BAR);
        }
    }

    private void label(Event event) {
        int y = y(ROWS.indexOf(event.subject()));
        double x = x(event.millis());
        switch (event.change()) {
            case "killed", "frozen" -> line("<text x=\"%.1f\" y=\"%d\">%s</text>", x + 8, y + 15, event.change());
            case "restarted" -> line("<text class=\"on\" x=\"%.1f\" y=\"%d\">restarted, empty</text>", x + 8, y + 15);
            case "lost" -> {
                line("<path class=\"lost\" stroke-width=\"3\" d=\"M%.1f %dv%d\"/>", x, y - 3, BAR + 6);
                line("<text class=\"note\" x=\"%.1f\" y=\"%d\">lost, and notified</text>", x + 6, y + 15);
            }
            default -> {}
        }
    }

    private double x(long millis) {
        long begin = events.get(0).millis();
        return LEFT + (RIGHT - LEFT) * (millis - begin) / (double) (end - begin);
    }

    private static int y(int row) {
        return TOP + row * ROW + (row >= 3 ? GAP : 0);
    }

    private void line(String format, Object... arguments) {
        svg.append(String.format(Locale.ROOT, format, arguments)).append('\n');
    }
}

package io.holdfast.inventory.demo;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;

/** Draws what happened to the last piece, as an SVG: for each way, what both shops did over time. */
final class Picture {

    private static final int LEFT = 190;
    private static final int WIDTH = 660;
    private static final int RUN_HEIGHT = 130;
    private static final int LANE_HEIGHT = 34;
    /** The width of the word, with its margins. */
    private static final int STOPPED_WIDTH = 60;

    private final StringBuilder svg = new StringBuilder();
    private final double pixelsPerMilli;

    private Picture(List<Run> runs) {
        long longest = runs.stream()
                .mapToLong(run -> run.last().length().toMillis())
                .max()
                .orElse(1);
        this.pixelsPerMilli = (double) WIDTH / longest;
    }

    static String of(List<Run> runs) {
        Picture picture = new Picture(runs);
        int height = 60 + runs.size() * RUN_HEIGHT;
        picture.add(
                "<svg xmlns='http://www.w3.org/2000/svg' width='900' height='%d' font-family='sans-serif' "
                        + "font-size='13'>",
                height);
        picture.add("<rect width='900' height='%d' fill='white'/>", height);
        picture.text(20, 30, "#222", "Who sells the last piece? Shop 1 is stopped between its read and its write.");
        for (int i = 0; i < runs.size(); i++) {
            picture.draw(runs.get(i), 60 + i * RUN_HEIGHT);
        }
        picture.add("</svg>");
        return picture.svg.toString();
    }

    private void draw(Run run, int top) {
        LastPiece last = run.last();
        int first = top + 18;
        int second = first + LANE_HEIGHT;
        text(
                20,
                top + 4,
                "#222",
                run.way() + ": the last piece was sold "
                        + (last.sold() == 1 ? "once" : last.sold() + " times") + "; under load, " + run.pieces()
                        + " pieces were oversold by " + run.oversold());
        text(20, first + 16, "#555", "shop 1");
        text(20, second + 16, "#555", "shop 2");
        bar(last, last.read(), last.stopped(), first, "#2b6cb0");
        bar(last, last.stopped(), last.resumed(), first, "#cbd5e0");
        bar(last, last.resumed(), last.ended(), first, last.sold() == 1 ? "#2f855a" : "#c53030");
        bar(last, last.stopped(), last.otherSold(), second, "#ecc94b");
        if (x(last, last.resumed()) - x(last, last.stopped()) > STOPPED_WIDTH) {
            text(x(last, last.stopped()) + 8, first + 16, "#222", "stopped");
        }
        text(x(last, last.stopped()) + 8, second + 16, "#222", "wants the last piece, and sells it");
        text(x(last, last.ended()) + 6, first + 16, "#222", last.sold() == 1 ? "refused" : "sells it again");
    }

    private void bar(LastPiece last, Instant from, Instant to, int y, String colour) {
        int start = x(last, from);
        add(
                "<rect x='%d' y='%d' width='%d' height='22' fill='%s'/>",
                start, y, Math.max(3, x(last, to) - start), colour);
    }

    private int x(LastPiece last, Instant time) {
        return LEFT - 100 + (int) (Duration.between(last.read(), time).toMillis() * pixelsPerMilli);
    }

    private void text(int x, int y, String colour, String words) {
        add("<text x='%d' y='%d' fill='%s'>%s</text>", x, y, colour, words);
    }

    private void add(String format, Object... values) {
        svg.append(String.format(Locale.ROOT, format, values)).append('\n');
    }
}

package io.holdfast.simulation.timeline;

import io.holdfast.simulation.SimulationResult;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import tools.jackson.databind.json.JsonMapper;

/**
 * A run as one page without further files: a picture to zoom and to filter, the plan, and the events. The page opens at
 * the first violation.
 */
public final class TimelinePage {

    private static final JsonMapper JSON = new JsonMapper();

    private TimelinePage() {}

    /** Returns the whole page. */
    public static String of(SimulationResult result, Timeline timeline) {
        TimelineData data = TimelineData.of(result, timeline.events());
        return resource("timeline.html")
                .replace("/* timeline.css */", resource("timeline.css"))
                .replace("/* timeline.js */", resource("timeline.js"))
                .replace("/* timeline.json */", inScript(JSON.writeValueAsString(data)));
    }

    /** A script element ends at the first such tag, also inside a string. */
    private static String inScript(String json) {
        return json.replace("<", "\\u003c");
    }

    private static String resource(String name) {
        try (InputStream in = TimelinePage.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException("The resource " + name + " is missing");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

package io.holdfast.simulation.timeline;

import java.util.Comparator;
import java.util.List;

/** The rows of the picture: clients, nodes, and links between them. */
final class TimelineLanes {

    static final String LINK = " → ";

    private static final List<String> KINDS = List.of("client", "node", "link");

    private TimelineLanes() {}

    static List<TimelineData.Lane> of(List<TimelineEvent> events) {
        return events.stream()
                .map(TimelineEvent::lane)
                .filter(name -> !name.isEmpty())
                .distinct()
                .map(name -> new TimelineData.Lane(name, kind(name)))
                .sorted(Comparator.comparingInt((TimelineData.Lane lane) -> KINDS.indexOf(lane.kind()))
                        .thenComparingInt(lane -> lane.name().length())
                        .thenComparing(TimelineData.Lane::name))
                .toList();
    }

    private static String kind(String name) {
        return name.contains(LINK) ? "link" : name.startsWith("node") ? "node" : "client";
    }
}

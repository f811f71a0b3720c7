package io.holdfast.micrometer;

import io.holdfast.node.Claim;
import io.holdfast.node.Reply;
import io.micrometer.core.instrument.Tags;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Requests to nodes as calls of a database client in OpenTelemetry's semantic conventions. */
final class OpenTelemetryConvention implements NodeRequestConvention {

    private static final Pattern PORT = Pattern.compile("(?<address>.*):(?<port>\\d+)");

    @Override
    public String name() {
        return "db.client.operation.duration";
    }

    /** A node with several addresses, such as a cluster, has the whole list as its address, and no port. */
    @Override
    public Tags tags(String node, Claim.Action action, Reply reply) {
        String place = NodeMeters.place(node);
        Matcher single = PORT.matcher(place);
        boolean isSingle = single.matches() && !place.contains(",");
        return Tags.of(
                "db.system.name",
                "redis",
                "db.operation.name",
                action.name().toLowerCase(Locale.ROOT),
                "db.response.status_code",
                NodeRequestConvention.kindOf(reply),
                "server.address",
                isSingle ? single.group("address") : place,
                "server.port",
                isSingle ? single.group("port") : "none");
    }
}

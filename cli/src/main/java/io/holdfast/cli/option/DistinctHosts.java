package io.holdfast.cli.option;

import io.holdfast.cli.exit.ExitCode;
import io.holdfast.cli.exit.Failure;
import io.holdfast.node.NodeAddress;
import io.holdfast.node.NodeStatus;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Rejects a server that is named twice, such as by its name and its number. It has one vote, so a set of three servers
 * would be one of two.
 */
final class DistinctHosts {

    private DistinctHosts() {}

    /** Compares the numeric addresses. Java knows them already, since it has begun to connect. */
    static void require(List<NodeStatus> nodes) {
        Map<String, String> names = new HashMap<>();
        for (NodeStatus node : nodes) {
            NodeAddress address = NodeAddress.parse(node.name());
            if (address.scheme().contains("-")) {
                continue;
            }
            NodeAddress.Host host = address.hosts().get(0);
            String name = host.toString();
            String other =
                    names.putIfAbsent(numeric(host.name()) + ":" + host.port().orElseThrow(), name);
            if (other != null) {
                throw new Failure(
                        ExitCode.USAGE,
                        other + " and " + name + " are the same server, which has one vote; name each server once");
            }
        }
    }

    private static String numeric(String host) {
        try {
            return InetAddress.getByName(host).getHostAddress();
        } catch (UnknownHostException e) {
            return host;
        }
    }
}

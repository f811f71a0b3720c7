package io.holdfast.cli.option;

import io.holdfast.cli.output.Terminal;
import io.holdfast.servers.LocalServers;
import java.net.URI;
import java.util.List;

/** The servers of {@code --local}. */
final class LocalNodes {

    private LocalNodes() {}

    /** Starts the servers that do not run, reports that, and returns the addresses of all. */
    static List<String> up(Terminal terminal) {
        LocalServers servers = LocalServers.ofThisUser();
        List<LocalServers.Member> members = servers.members();
        long up = members.stream().filter(LocalServers.Member::isUp).count();
        if (up == 0) {
            members = servers.up(LocalServers.DEFAULT_COUNT);
            terminal.print("started " + members.size() + " redis-servers for --local, which hold no lock yet;"
                    + " `holdfast local down` stops them");
        } else if (up < members.size()) {
            terminal.print("restarted " + (members.size() - up) + " of " + members.size() + " local servers");
            members = servers.up(members.size());
        }
        return members.stream().map(LocalServers.Member::uri).map(URI::toString).toList();
    }
}

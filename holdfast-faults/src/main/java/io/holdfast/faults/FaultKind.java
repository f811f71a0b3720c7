package io.holdfast.faults;

/** What can happen to a server, to the network before it, or to a client. */
public enum FaultKind {
    /** {@code kill -9}, and a start without data after a while. */
    KILL_AND_FORGET,
    /** {@code kill -9}, and a start from the append-only file after a while. */
    KILL_AND_REMEMBER,
    /** {@code SIGSTOP}, and {@code SIGCONT} after a while: what waited in its buffers is carried out then. */
    FREEZE,
    /** A new process on the port, at once and without data. */
    RESTART_EMPTY,
    /** {@code FLUSHALL}. */
    FLUSH,
    /** {@code SCRIPT FLUSH}. */
    FORGET_SCRIPTS,
    /** {@code CLIENT KILL} of all connections. */
    KILL_CONNECTIONS,
    /** More is sent to the clients' inboxes than the server keeps for them: it ends their connections, and calls are lost. */
    FULL_INBOX,
    /** Nothing passes in either direction for a while. */
    BLACK_HOLE,
    /** Requests pass and replies do not, for a while. */
    DEAF,
    /** The first reply on a connection ends it, for a while: a request is carried out, and neither answered nor taken back. */
    LOSE_REPLY,
    /** Everything passes later, for a while, and what is under way then is lost with its connection. */
    SLOW,
    /** Open connections are reset. */
    RESET,
    /** The replica takes over for a while and then gives back; addresses move, while open connections stay where they are. */
    FAIL_OVER,
    /** The server takes the data of a replica that was promoted a while ago, and is a master again: within the same process. */
    FAIL_BACK,
    /** The server is a replica for a while, without an end of any connection. */
    DEMOTE,
    /** The server is set to evict keys for a while; within seconds it must have no vote any more. */
    CHANGE_EVICTION,
    /** One client reaches no server for longer than its lease, while its rivals go on. */
    CUT_OFF,
    /** {@code kill -9} of a client that holds locks, stands in line or has been called; another takes its place. */
    KILL_CLIENT,
    /** The connections of a client are reset, and for a moment it can start no thread. */
    FAIL_THREADS,
    /** All servers are restarted, one after another, while each client holds a lock throughout: none of those may be lost. */
    ROLLING_RESTART;

    /** Whether it strikes a client, and no server. */
    boolean strikesClients() {
        return this == CUT_OFF || this == KILL_CLIENT || this == FAIL_THREADS;
    }

    /** Whether it strikes single servers, each of them at its own time. */
    boolean strikesServers() {
        return !strikesClients() && this != ROLLING_RESTART;
    }

    /** Whether clients find the end of the fault only when they look again at a server that they do not use. */
    boolean changesRoles() {
        return this == FAIL_OVER || this == FAIL_BACK || this == DEMOTE || this == CHANGE_EVICTION;
    }

    /** Whether it strikes connections alone: as soon as they are back, what was left behind is taken back. */
    boolean strikesConnectionsAlone() {
        return switch (this) {
            case KILL_CONNECTIONS, FULL_INBOX, LOSE_REPLY, SLOW, RESET -> true;
            default -> false;
        };
    }
}

package io.holdfast.faults;

/** The faults of servers, of the network in front of them, and of clients. */
public enum FaultKind {
    /** {@code kill -9}, and a later start without data. */
    KILL_AND_FORGET,
    /** {@code kill -9}, and a later start from the append-only file. */
    KILL_AND_REMEMBER,
    /** {@code SIGSTOP}, and a later {@code SIGCONT}: the server then processes the requests in its buffers. */
    FREEZE,
    /** A new process on the port, immediately and without data. */
    RESTART_EMPTY,
    /** {@code FLUSHALL}. */
    FLUSH,
    /** {@code SCRIPT FLUSH}. */
    FORGET_SCRIPTS,
    /** {@code CLIENT KILL} for all connections. */
    KILL_CONNECTIONS,
    /** More notifications than the server buffers for a client: it ends the connections, and notifications are lost. */
    FULL_INBOX,
    /** Nothing passes in either direction for some time. */
    BLACK_HOLE,
    /** Requests pass and replies do not, for some time. */
    DEAF,
    /**
     * The first reply on a connection ends it, for some time: the request is processed, and its sender does not know.
     */
    LOSE_REPLY,
    /** Everything is delayed for some time, and what is in transit at the end is lost with its connection. */
    SLOW,
    /** Open connections are reset. */
    RESET,
    /** The replica is promoted and later demoted; addresses move, while open connections stay. */
    FAIL_OVER,
    /**
     * The server takes over the data of a replica that was promoted earlier, and becomes the master again in the same
     * process.
     */
    FAIL_BACK,
    /** The server is a replica for some time, while no connection ends. */
    DEMOTE,
    /** The server is set to evict keys for some time; within seconds its votes must stop. */
    CHANGE_EVICTION,
    /** One client reaches no server for longer than its lease, while other clients continue. */
    CUT_OFF,
    /** {@code kill -9} of a client that holds locks, is queued or was notified; another client takes its place. */
    KILL_CLIENT,
    /** The connections of a client are reset, and for a moment it cannot start threads. */
    FAIL_THREADS,
    /** All servers are restarted one after another, while each client holds a lock that must not be lost. */
    ROLLING_RESTART,
    /** The next step of a change to another set of servers: each client ends, and another one with that step begins. */
    CHANGE_SET;

    /** Returns true if the fault affects a client and no server. */
    boolean strikesClients() {
        return this == CUT_OFF || this == KILL_CLIENT || this == FAIL_THREADS;
    }

    /** Returns true if the fault affects single servers, each at its own time. */
    boolean strikesServers() {
        return !strikesClients() && this != ROLLING_RESTART && this != CHANGE_SET;
    }

    /** Returns true if clients notice the end of the fault only when they probe a server that they do not use. */
    boolean changesRoles() {
        return this == FAIL_OVER || this == FAIL_BACK || this == DEMOTE || this == CHANGE_EVICTION;
    }

    /**
     * Returns true if the fault affects only connections, so that pending cleanups run as soon as they are restored.
     */
    boolean strikesOnlyConnections() {
        return switch (this) {
            case KILL_CONNECTIONS, FULL_INBOX, LOSE_REPLY, SLOW, RESET -> true;
            default -> false;
        };
    }
}

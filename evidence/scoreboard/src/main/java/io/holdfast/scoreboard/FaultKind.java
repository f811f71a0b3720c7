package io.holdfast.scoreboard;

import io.holdfast.scoreboard.contestant.Library;

/** The faults. Each strikes while a client holds the lock and works. */
public enum FaultKind {
    HOLDER_PAUSED("holder paused", "SIGSTOP for the holder's process until others have written twice"),
    CLIENT_KILLED("holder killed", "`kill -9` for the holder's process"),
    REQUESTS_CUT("requests cut", "nothing passes from the holder to any server until others have written twice"),
    REPLIES_CUT("replies cut", "nothing passes from any server to the holder until others have written twice"),
    SERVER_KILLED("server killed", "`kill -9` for one server, and a start with its data 3 s later"),
    RESTARTED_EMPTY("restarted empty", "one server restarts without its data"),
    FAILED_OVER(
            "failover",
            "one server of Redis or PostgreSQL is replaced by a replica that lacks the last seconds; the leader of an"
                    + " ensemble is killed"),
    ALL_IN_TURN(
            "all restarted",
            "all servers restart in turn: Redis without data, half a second apart; others with their data, each when"
                    + " the one before is ready"),
    SERVER_CLOCK_FORWARD("server +60 s", "the wall clock of one server is set forward by a minute"),
    SERVER_CLOCK_BACK("server −60 s", "the wall clock of one server is set back by a minute"),
    CLIENT_CLOCK_FORWARD("client +60 s", "the wall clock of the holder's process is set forward by a minute"),
    CLIENT_CLOCK_BACK("client −60 s", "the wall clock of the holder's process is set back by a minute"),
    DISK_STALLED("disk stalled", "nothing that one server flushes reaches its disk, for 3 s");

    private final String title;
    private final String description;

    FaultKind(String title, String description) {
        this.title = title;
        this.description = description;
    }

    /** Returns the head of a column. */
    public String title() {
        return title;
    }

    /** Returns what happens. */
    public String description() {
        return description;
    }

    /** Returns whether the holder cannot go on before the fault is over. */
    boolean stopsTheHolder() {
        return this == HOLDER_PAUSED || this == CLIENT_KILLED;
    }

    boolean setsServerClock() {
        return this == SERVER_CLOCK_FORWARD || this == SERVER_CLOCK_BACK;
    }

    boolean setsClientClock() {
        return this == CLIENT_CLOCK_FORWARD || this == CLIENT_CLOCK_BACK;
    }

    /** Returns whether the fault can be made for this library. */
    boolean appliesTo(Library library) {
        return !(setsServerClock() || this == DISK_STALLED) || library.kind().canPreload();
    }
}

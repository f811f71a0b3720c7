package io.holdfast.simulation.use;

import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.LockOptions;
import io.holdfast.time.Time;
import java.time.Duration;
import java.util.concurrent.Callable;

/** A process as its users see it, and those to whom they report. */
public interface Host {

    /** The client of this process. */
    Holdfast holdfast();

    /** The clocks and timers of its machine. */
    Time time();

    /** Whether the process has ended. */
    boolean isDead();

    /** A process that has not ended, perhaps this one. */
    Host another();

    /** Whether few enough tasks are blocked. */
    boolean mayBlock();

    /**
     * Makes a call whose waits all end within this time; it returns then, and not before.
     *
     * @throws ProcessEnded if the process was killed meanwhile
     */
    <T> T block(Duration longest, Callable<T> call) throws Exception;

    /** Makes a call whose thread is interrupted if it still waits after this time. */
    <T> T interrupt(Duration after, Callable<T> call) throws Exception;

    /** Keeps the thread of this task busy for so long. */
    void pass(Duration duration);

    /** Closes the client and ends the process. Another one takes its place. */
    void exit();

    /** A user is about to ask for a lock. */
    Attempt begin();

    /** A rule is broken. */
    void report(Rule rule, String what);

    /** Something that a user has asked for. */
    interface Attempt {

        /** A lease was granted to the user. */
        Held granted(Lease lease, LockOptions options);

        /** The user goes on with a lease that another user has, or had. */
        Held resumed(Lease lease, LockOptions options);

        /** Whether nothing has gone wrong since then, on any machine or network. */
        boolean isUndisturbed();
    }

    /** A lease that a user has. */
    interface Held {

        /** The lease itself, which may be over. */
        Lease lease();

        /** The options with which it is held. */
        LockOptions options();

        /** The user looks at the lease, finds it live, and writes to what it guards unless it is shared. */
        void relied();

        /** The user is about to release the lease. */
        void releasing();

        /** The library says that the lock is released. */
        void released();

        /** The lease was detached. */
        void detached();
    }
}

package io.holdfast.simulation.use;

import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.LockOptions;
import io.holdfast.record.LockRecord;
import io.holdfast.time.Time;
import java.time.Duration;
import java.util.concurrent.Callable;

/** A process as its users see it, with the recipients of their reports. */
public interface Host {

    /** Returns the client of this process. */
    Holdfast holdfast();

    /** Returns the clocks and timers of its machine. */
    Time time();

    /** Returns whether the process has ended. */
    boolean isDead();

    /** Returns a process that has not ended, perhaps this one. */
    Host another();

    /** Returns whether few enough tasks are blocked. */
    boolean mayBlock();

    /**
     * Makes a call whose waits all end within this time; it returns then, and not before.
     *
     * @throws ProcessEnded if the process was killed meanwhile
     */
    <T> T block(Duration longest, Callable<T> call) throws Exception;

    /** Makes a call whose thread is interrupted if it still waits after this time. */
    <T> T interrupt(Duration after, Callable<T> call) throws Exception;

    /** Keeps the thread of this task busy for this duration. */
    void pass(Duration duration);

    /** Closes the client and ends the process. Another one replaces it. */
    void exit();

    /** Begins an attempt: a user is about to ask for a lock. */
    Attempt begin();

    /** Reports a broken rule. */
    void report(Rule rule, String what);

    /** An attempt of a user to get a lease. */
    interface Attempt {

        /** Records that a lease was granted to the user. */
        Held granted(Lease lease, LockOptions options);

        /** Records that the user resumes a lease that another user has, or had. */
        Held resumed(Lease lease, LockOptions options);

        /** Returns whether no machine or network has failed since the attempt began. */
        boolean isUndisturbed();
    }

    /** A lease that a user has. */
    interface Held {

        /** Returns the lease itself, which may be over. */
        Lease lease();

        /** Returns the options with which it is held. */
        LockOptions options();

        /**
         * Records that the user checks the lease and finds it live; writes to the guarded resource unless the lease is
         * shared.
         */
        void relied();

        /** Records that the user is about to release the lease. */
        void releasing();

        /** Records that the user is about to release the lease, and asks the nodes to keep the lock for this long. */
        void retaining(Duration keep);

        /** Records that the library confirms that the nodes keep the lock. */
        void retained();

        /** Records that the library confirms the release. */
        void released();

        /** Records that the user is about to read the record beside the lock. */
        void readingRecord();

        /** Records that the user has read the record beside the lock. */
        void recordRead(LockRecord read);

        /** Records that the library confirms that the token of this lease is the record. */
        void recordWritten();

        /** Records that the lease was detached. */
        void detached();
    }
}

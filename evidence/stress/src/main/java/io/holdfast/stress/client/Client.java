package io.holdfast.stress.client;

import io.holdfast.Holdfast;
import io.holdfast.LockOptions;
import io.holdfast.locks.OwnedLock;
import io.holdfast.locks.ReentrantDistributedLock;
import io.holdfast.locks.ReentrantDistributedReadWriteLock;

/** One client of the nodes, with the locks that work only if all threads of a process share the object. */
public final class Client implements AutoCloseable {

    private final Nodes.Connected connected;
    private final ReentrantDistributedLock threadLock;
    private final ReentrantDistributedReadWriteLock readWriteLock;
    private final OwnedLock ownedLock;
    private volatile boolean closing;

    public Client(Nodes.Connected connected) {
        this.connected = connected;
        Holdfast holdfast = connected.holdfast();
        this.threadLock = ReentrantDistributedLock.of(holdfast.lock(Names.THREAD));
        this.readWriteLock = ReentrantDistributedReadWriteLock.of(holdfast.lock(Names.READ_WRITE));
        this.ownedLock = OwnedLock.of(holdfast.lock(Names.OWNED, LockOptions.DEFAULT));
    }

    public Holdfast holdfast() {
        return connected.holdfast();
    }

    public ReentrantDistributedLock threadLock() {
        return threadLock;
    }

    public ReentrantDistributedReadWriteLock readWriteLock() {
        return readWriteLock;
    }

    public OwnedLock ownedLock() {
        return ownedLock;
    }

    /** Returns true once the client's leases may end and its methods may throw because it is being closed. */
    public boolean isClosing() {
        return closing;
    }

    @Override
    public void close() {
        closing = true;
        connected.holdfast().close();
        connected.onClose().run();
    }
}

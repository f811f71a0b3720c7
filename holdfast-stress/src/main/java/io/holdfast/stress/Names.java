package io.holdfast.stress;

/** The names of the locks. Families of operations that would disturb each other use different names. */
final class Names {

    static final String PLAIN = "plain/";
    static final String ASYNC = "async/";
    static final String DETACHED = "detached/";
    static final String UNCONTENDED = "uncontended/";
    static final String READ_MOSTLY = "read-mostly";
    static final String POOL = "pool";
    static final String SET = "set/";
    static final String THREAD = "thread";
    static final String READ_WRITE = "read-write";
    static final String OWNED = "owned";
    static final String LEADER = "leader/";

    private Names() {}
}

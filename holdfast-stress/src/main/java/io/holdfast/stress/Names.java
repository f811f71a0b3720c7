package io.holdfast.stress;

/** What the operations lock. Those that do not get on with each other have names of their own. */
final class Names {

    static final String PLAIN = "plain/";
    static final String ASYNC = "async/";
    static final String HANDLE = "handle/";
    static final String ALONE = "alone/";
    static final String WIDE = "wide";
    static final String POOL = "pool";
    static final String SET = "set/";
    static final String THREAD = "thread";
    static final String READ_WRITE = "read-write";
    static final String OWNED = "owned";
    static final String LEADER = "leader/";

    private Names() {}
}

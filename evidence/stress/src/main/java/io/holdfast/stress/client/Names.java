package io.holdfast.stress.client;

/** The names of the locks. Families of operations that would disturb each other use different names. */
public final class Names {

    public static final String PLAIN = "plain/";
    public static final String ASYNC = "async/";
    public static final String DETACHED = "detached/";
    public static final String UNCONTENDED = "uncontended/";
    public static final String READ_MOSTLY = "read-mostly";
    public static final String POOL = "pool";
    public static final String SET = "set/";
    public static final String THREAD = "thread";
    public static final String READ_WRITE = "read-write";
    public static final String OWNED = "owned";
    public static final String CALLER = "caller/";
    public static final String ERROR = "error/";
    public static final String ERROR_POOL = "error-pool";
    public static final String ALIVE = "alive";
    public static final String LEADER = "leader/";

    private Names() {}
}

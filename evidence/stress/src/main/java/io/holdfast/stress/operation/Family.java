package io.holdfast.stress.operation;

/** Families of operations, each on its own locks. */
public enum Family {
    PLAIN(4),
    ASYNC(5),
    DETACHED(4),
    LONG(2),
    COMPOSED(5),
    THREADS(3),
    OWNED(3),
    CALLERS(2),
    ERRORS(2),
    ELECTIONS(2);

    private final int weight;

    Family(int weight) {
        this.weight = weight;
    }

    public Operation operation() {
        return switch (this) {
            case PLAIN -> new PlainOperations();
            case ASYNC -> new AsyncOperations();
            case DETACHED -> new DetachedLeaseOperations();
            case LONG -> new LongOperations();
            case COMPOSED -> new ComposedOperations();
            case THREADS -> new ThreadOperations();
            case OWNED -> new OwnedOperations();
            case CALLERS -> new CallerOperations();
            case ERRORS -> new ErrorOperations();
            case ELECTIONS -> new ElectionOperations();
        };
    }

    /** Returns the relative frequency of the family. */
    public int weight() {
        return weight;
    }
}

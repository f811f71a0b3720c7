package io.holdfast.stress;

/** Kinds of operations, each on locks of its own. */
enum Family {
    PLAIN(4),
    ASYNC(5),
    HANDLES(4),
    LONG(2),
    COMPOSED(5),
    THREADS(3),
    OWNED(3),
    ELECTIONS(2);

    private final int weight;

    Family(int weight) {
        this.weight = weight;
    }

    Operation operation() {
        return switch (this) {
            case PLAIN -> new PlainOperations();
            case ASYNC -> new AsyncOperations();
            case HANDLES -> new HandleOperations();
            case LONG -> new LongOperations();
            case COMPOSED -> new ComposedOperations();
            case THREADS -> new ThreadOperations();
            case OWNED -> new OwnedOperations();
            case ELECTIONS -> new ElectionOperations();
        };
    }

    /** How often it comes, compared with the others. */
    int weight() {
        return weight;
    }
}

package io.holdfast.stress.witness;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The holders inside one lock, and the tokens that it has granted. All methods are synchronized. */
final class ObservedLock {

    /** The number of recent tokens in which repeated and released tokens are detected. */
    private static final int RECENT_TOKENS = 4_096;

    private static final long NOT_CONFIRMED = Long.MIN_VALUE;

    private final List<ObservedHold> inside = new ArrayList<>();
    private final Map<Long, Boolean> granted = bounded();
    /** By token: the time at which its release was confirmed. */
    private final Map<Long, Long> ended = bounded();

    private long highest;

    private static <T> Map<Long, T> bounded() {
        return new LinkedHashMap<>() {
            @Override
            protected boolean removeEldestEntry(Map.Entry<Long, T> eldest) {
                return size() > RECENT_TOKENS;
            }
        };
    }

    synchronized long highest() {
        return highest;
    }

    synchronized void granted(ObservedHold hold, long floor, Findings findings) {
        if (hold.token() <= floor) {
            findings.add(Kind.TOKEN_ORDER, hold + " was requested after token " + floor + " had been granted");
        }
        if (granted.put(hold.token(), true) != null) {
            findings.add(Kind.TOKEN_TWICE, hold.toString());
        }
        highest = Math.max(highest, hold.token());
        enter(hold, findings);
    }

    synchronized void attached(ObservedHold hold, long begun, Findings findings) {
        Long end = ended.get(hold.token());
        if (end == null) {
            enter(hold, findings);
        } else if (end != NOT_CONFIRMED && begun - end > 0 && hold.isValid()) {
            findings.add(Kind.ATTACHED_AFTER_RELEASE, hold + " was requested after its release was confirmed");
        }
    }

    private void enter(ObservedHold hold, Findings findings) {
        for (ObservedHold other : List.copyOf(inside)) {
            boolean compatible = (hold.isShared() && other.isShared()) || hold.token() == other.token();
            // The second hold is checked last: if it is valid then, it was valid when the other one was, since an end
            // is final.
            if (!compatible && other.isValid() && hold.isValid()) {
                findings.add(Kind.OVERLAP, hold + " entered beside " + other);
            }
        }
        inside.add(hold);
    }

    synchronized void enteredPool(ObservedHold hold, int permits, Findings findings) {
        long others = List.copyOf(inside).stream().filter(ObservedHold::isValid).count();
        if (others >= permits && hold.isValid()) {
            findings.add(Kind.TOO_MANY, hold + " entered beside " + others);
        }
        inside.add(hold);
    }

    synchronized void leave(ObservedHold hold, boolean allOfItsToken) {
        if (allOfItsToken && hold.token() != 0) {
            inside.removeIf(other -> other.token() == hold.token());
            ended.putIfAbsent(hold.token(), NOT_CONFIRMED);
        } else {
            inside.remove(hold);
        }
    }

    synchronized void released(long token) {
        ended.put(token, System.nanoTime());
    }
}

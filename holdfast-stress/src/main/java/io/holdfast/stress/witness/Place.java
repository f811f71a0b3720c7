package io.holdfast.stress.witness;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Who is inside one lock, and which tokens it has given out. All methods are steps of one monitor. */
final class Place {

    /** How many tokens back it looks for a token that comes twice, or for one that was released. */
    private static final int MEMORY = 4_096;

    private static final long NOT_CONFIRMED = Long.MIN_VALUE;

    private final List<Stay> inside = new ArrayList<>();
    private final Map<Long, Boolean> granted = bounded();
    /** By token when its release was confirmed. */
    private final Map<Long, Long> ended = bounded();

    private long highest;

    private static <T> Map<Long, T> bounded() {
        return new LinkedHashMap<>() {
            @Override
            protected boolean removeEldestEntry(Map.Entry<Long, T> eldest) {
                return size() > MEMORY;
            }
        };
    }

    synchronized long highest() {
        return highest;
    }

    synchronized void granted(Stay stay, long floor, Findings findings) {
        if (stay.token() <= floor) {
            findings.add(Kind.TOKEN_ORDER, stay + " was asked for after token " + floor + " had been granted");
        }
        if (granted.put(stay.token(), true) != null) {
            findings.add(Kind.TOKEN_TWICE, stay.toString());
        }
        highest = Math.max(highest, stay.token());
        enter(stay, findings);
    }

    synchronized void resumed(Stay stay, long begun, Findings findings) {
        Long end = ended.get(stay.token());
        if (end == null) {
            enter(stay, findings);
        } else if (end != NOT_CONFIRMED && begun - end > 0 && stay.isValid()) {
            findings.add(Kind.RESUMED_AFTER_RELEASE, stay + " was asked for after its release was confirmed");
        }
    }

    private void enter(Stay stay, Findings findings) {
        for (Stay other : List.copyOf(inside)) {
            boolean together = (stay.isShared() && other.isShared()) || stay.token() == other.token();
            // The other first: what is valid after it was valid at that moment as well, since an end is final.
            if (!together && other.isValid() && stay.isValid()) {
                findings.add(Kind.OVERLAP, stay + " entered beside " + other);
            }
        }
        inside.add(stay);
    }

    synchronized void counted(Stay stay, int permits, Findings findings) {
        long others = List.copyOf(inside).stream().filter(Stay::isValid).count();
        if (others >= permits && stay.isValid()) {
            findings.add(Kind.TOO_MANY, stay + " entered beside " + others);
        }
        inside.add(stay);
    }

    synchronized void left(Stay stay, boolean everyone) {
        if (everyone && stay.token() != 0) {
            inside.removeIf(other -> other.token() == stay.token());
            ended.putIfAbsent(stay.token(), NOT_CONFIRMED);
        } else {
            inside.remove(stay);
        }
    }

    synchronized void released(long token) {
        ended.put(token, System.nanoTime());
    }

    synchronized Collection<String> clear() {
        List<String> left = inside.stream().map(Stay::toString).toList();
        inside.clear();
        return left;
    }
}

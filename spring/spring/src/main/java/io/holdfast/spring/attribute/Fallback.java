package io.holdfast.spring.attribute;

import io.holdfast.HoldfastException;
import io.holdfast.LockTimeoutException;
import io.holdfast.QuorumUnreachableException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * The method of a bean that runs instead of an annotated one whose lock is refused. It has the parameters of that
 * method and, at the end, none more or the refusal. Immutable.
 */
public final class Fallback {

    private static final List<Class<?>> REFUSALS =
            List.of(HoldfastException.class, LockTimeoutException.class, QuorumUnreachableException.class);

    private final Method method;
    private final boolean takesRefusal;

    private Fallback(Method method, boolean takesRefusal) {
        this.method = method;
        this.takesRefusal = takesRefusal;
    }

    /**
     * Finds the fallback of a method; empty if the name is.
     *
     * @param type the class of the bean
     * @throws IllegalArgumentException if the bean has no such method, or several, or if that method needs a lock
     */
    public static Optional<Fallback> of(String name, Method method, Class<?> type) {
        if (name.isBlank()) {
            return Optional.empty();
        }
        List<Method> found = candidates(name, method, type).toList();
        if (found.size() != 1) {
            throw new IllegalArgumentException("the fallback '" + name + "' is "
                    + (found.isEmpty() ? "no method" : "not the only method") + " of " + type.getSimpleName()
                    + " with the signature " + signature(name, method) + ", to which a "
                    + REFUSALS.stream().map(Class::getSimpleName).collect(Collectors.joining(", ")) + " may be added");
        }
        Method only = found.get(0);
        if (MergedAnnotations.from(only, SearchStrategy.TYPE_HIERARCHY).isPresent(FallbackHints.ANNOTATION)) {
            throw new IllegalArgumentException("the fallback '" + name + "' would run without the lock of its"
                    + " @HoldfastLock; name a method without that annotation as the fallback");
        }
        ReflectionUtils.makeAccessible(only);
        return Optional.of(new Fallback(only, only.getParameterCount() > method.getParameterCount()));
    }

    /** Returns the methods of this name that can take the place of a method. */
    static Stream<Method> candidates(String name, Method method, Class<?> type) {
        return Stream.of(ReflectionUtils.getUniqueDeclaredMethods(type))
                .filter(candidate -> candidate.getName().equals(name)
                        && ClassUtils.isAssignable(method.getReturnType(), candidate.getReturnType())
                        && takes(candidate.getParameterTypes(), method.getParameterTypes()));
    }

    private static boolean takes(Class<?>[] types, Class<?>[] ofMethod) {
        int extra = types.length - ofMethod.length;
        return Arrays.equals(types, 0, Math.min(types.length, ofMethod.length), ofMethod, 0, ofMethod.length)
                && (extra == 0 || (extra == 1 && REFUSALS.contains(types[ofMethod.length])));
    }

    private static String signature(String name, Method method) {
        return Stream.of(method.getParameterTypes())
                .map(Class::getSimpleName)
                .collect(Collectors.joining(", ", method.getReturnType().getSimpleName() + " " + name + "(", ")"));
    }

    /** Returns {@code true} if the fallback takes this failure, which may be no refusal. */
    public boolean handles(Throwable failure) {
        boolean isRefusal = failure instanceof LockTimeoutException || failure instanceof QuorumUnreachableException;
        return isRefusal
                && (!takesRefusal || method.getParameterTypes()[method.getParameterCount() - 1].isInstance(failure));
    }

    /**
     * Runs the fallback for a call.
     *
     * @throws Throwable what the fallback throws
     */
    public @Nullable Object call(Object target, @Nullable Object[] arguments, Throwable refusal) throws Throwable {
        @Nullable Object[] all = Arrays.copyOf(arguments, method.getParameterCount());
        if (takesRefusal) {
            all[all.length - 1] = refusal;
        }
        try {
            return method.invoke(target, all);
        } catch (InvocationTargetException e) {
            throw e.getTargetException();
        }
    }
}

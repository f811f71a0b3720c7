package io.holdfast.spring;

import io.holdfast.spring.proxy.MethodRejectedException;
import io.holdfast.spring.proxy.ResultKind;
import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;

/** Rejects methods whose result a lock, or the policies of the annotation, cannot work with, and idle fallbacks. */
record ResultCheck(Method method, HoldfastLock annotation, ResultKind result, Class<?> returnType) {

    /**
     * Checks the result.
     *
     * @param loader the loader of the application, which may know the module for publishers
     * @throws MethodRejectedException if the annotation cannot work on the method
     */
    void require(@Nullable ClassLoader loader) {
        boolean isThrown =
                annotation.onHeld() == RefusalPolicy.THROW || annotation.onUnreachable() == RefusalPolicy.THROW;
        if (!annotation.fallback().isBlank() && !isThrown) {
            throw rejected("its fallback never runs, because each refusal is skipped", "remove the fallback or a SKIP");
        }
        if (!annotation.oncePer().isBlank()) {
            requireJob();
        }
        if (result == ResultKind.LATER) {
            throw isLater("return a value, a Mono, a Flux or a CompletableFuture");
        } else if (result == ResultKind.PRIMITIVE && canSkip()) {
            throw rejected(
                    "a skipped call has no result of the primitive type " + method.getReturnType(),
                    "return its wrapper, an Optional or void");
        } else if (result == ResultKind.STAGE && annotation.onLost() == LossPolicy.INTERRUPT) {
            throw rejected("INTERRUPT needs a method that ends when it returns, not one with a future", "use THROW");
        } else if (result == ResultKind.PUBLISHER) {
            requirePublisher(loader);
        }
    }

    /** The record of runs belongs to one exclusive lock, and a success to a run under it. */
    private void requireJob() {
        if (annotation.shared()) {
            throw rejected("oncePer needs an exclusive lock", "remove shared");
        } else if (!annotation.holdAtLeast().isBlank()) {
            throw rejected("oncePer remembers a success without the lock", "remove holdAtLeast");
        } else if (annotation.onLost() == LossPolicy.LOG) {
            throw rejected("oncePer counts no run that has lost its lock", "remove LOG");
        }
    }

    private void requirePublisher(@Nullable ClassLoader loader) {
        boolean suspends = ResultKind.isSuspending(method);
        if (suspends && !ReactiveCall.supportsCoroutines(loader)) {
            throw rejected(
                    "it is a suspending function, which Spring calls by way of Reactor",
                    "add io.holdfast:holdfast-reactor, org.jetbrains.kotlinx:kotlinx-coroutines-reactor and"
                            + " org.jetbrains.kotlin:kotlin-reflect to the class path");
        } else if (suspends && !annotation.fallback().isBlank()) {
            throw rejected("a suspending function has no fallback", "catch the refusal where the function is called");
        }
        if (!ReactiveCall.isSupported(loader)) {
            throw isLater("add io.holdfast:holdfast-reactor to the class path, or return a CompletableFuture");
        } else if (annotation.onLost() != LossPolicy.THROW) {
            throw rejected(
                    annotation.onLost() + " needs a method that ends when it returns; a publisher is cancelled when its"
                            + " lease is lost",
                    "use THROW");
        }
    }

    private boolean canSkip() {
        return annotation.onHeld() == RefusalPolicy.SKIP
                || annotation.onUnreachable() == RefusalPolicy.SKIP
                || !annotation.oncePer().isBlank();
    }

    private MethodRejectedException isLater(String remedy) {
        return rejected(
                "its result '" + returnType.getSimpleName()
                        + "' is produced after it has returned, when the lock would be released already",
                remedy);
    }

    private MethodRejectedException rejected(String reason, String remedy) {
        return new MethodRejectedException(method, HoldfastLock.class, reason, remedy);
    }
}

package io.holdfast.spring.boot;

import io.holdfast.spring.proxy.MethodRejectedException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Explains an annotation that cannot work on its method. */
final class MethodFailureAnalyzer extends AbstractFailureAnalyzer<MethodRejectedException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, MethodRejectedException cause) {
        String action =
                Character.toUpperCase(cause.remedy().charAt(0)) + cause.remedy().substring(1) + ".";
        return new FailureAnalysis(String.valueOf(cause.getMessage()), action, cause);
    }
}

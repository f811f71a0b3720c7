package io.holdfast.console.browser;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Gives tests the one browser of all test classes. Where no Chromium is installed, skips them, unless the property
 * {@code holdfast.browser.required} is true.
 */
public final class BrowserExtension implements ExecutionCondition, ParameterResolver {

    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        return Browser.installed() || Boolean.getBoolean("holdfast.browser.required")
                ? ConditionEvaluationResult.enabled("There is a browser.")
                : ConditionEvaluationResult.disabled("Chromium is not installed: apt-get install chromium");
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == Browser.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return context.getRoot()
                .getStore(Namespace.create(BrowserExtension.class))
                .computeIfAbsent(Browser.class, type -> start(), Browser.class);
    }

    private static Browser start() {
        try {
            return Browser.start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

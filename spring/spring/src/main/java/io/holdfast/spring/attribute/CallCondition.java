package io.holdfast.spring.attribute;

import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.context.expression.BeanFactoryResolver;
import org.springframework.expression.BeanResolver;
import org.springframework.expression.EvaluationException;
import org.springframework.expression.Expression;
import org.springframework.expression.spel.standard.SpelExpressionParser;

/** The condition of an annotation, parsed once for each method, and evaluated for each call. Immutable. */
public final class CallCondition {

    private final Method method;
    private final BeanResolver beans;
    private final @Nullable Expression expression;

    private CallCondition(Method method, BeanResolver beans, @Nullable Expression expression) {
        this.method = method;
        this.beans = beans;
        this.expression = expression;
    }

    /**
     * Parses the condition of a method, with the properties replaced. An empty one holds for all calls.
     *
     * @throws IllegalArgumentException if it is no valid expression, or names a parameter that the method does not have
     */
    public static CallCondition of(String text, Method method, ConfigurableBeanFactory beans) {
        String resolved = LockName.withProperties(text, beans);
        if (resolved.contains("#{")) {
            throw new IllegalArgumentException(
                    "the condition '" + resolved + "' is an expression as a whole, which needs no #{}");
        }
        Expression parsed = resolved.isBlank() ? null : new SpelExpressionParser().parseExpression(resolved);
        if (parsed != null) {
            LockName.requireKnownVariables(parsed, method);
        }
        return new CallCondition(method, new BeanFactoryResolver(beans), parsed);
    }

    /**
     * Returns {@code true} if the annotation applies to a call.
     *
     * @throws IllegalArgumentException if the expression yields neither {@code true} nor {@code false}
     */
    public boolean holds(Object target, @Nullable Object[] arguments) {
        if (expression == null) {
            return true;
        }
        Boolean value;
        try {
            value = expression.getValue(LockName.context(method, beans, target, arguments), Boolean.class);
        } catch (EvaluationException e) {
            throw noCondition("is not defined (" + e.getMessage() + ")", e);
        }
        if (value == null) {
            throw noCondition("is null", null);
        }
        return value;
    }

    private IllegalArgumentException noCondition(String reason, @Nullable Throwable cause) {
        return new IllegalArgumentException(
                "The condition of " + method.getDeclaringClass().getSimpleName() + "." + method.getName() + " " + reason
                        + "; let it be true or false",
                cause);
    }
}

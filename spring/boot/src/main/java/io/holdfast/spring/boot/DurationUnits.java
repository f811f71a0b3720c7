package io.holdfast.spring.boot;

import io.holdfast.LockOptions;
import java.time.Duration;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationPropertiesBindHandlerAdvisor;
import org.springframework.boot.context.properties.bind.AbstractBindHandler;
import org.springframework.boot.context.properties.bind.BindContext;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;

/**
 * Refuses durations of Holdfast without a unit, which Boot would read as milliseconds: {@code lease=30} looks like 30
 * seconds. Only 0 needs none. Reads {@code forever} as the limit that is never reached.
 */
final class DurationUnits implements ConfigurationPropertiesBindHandlerAdvisor {

    private static final String FOREVER = "forever";
    private static final Pattern NUMBER = Pattern.compile("\\s*[+-]?0*[1-9]\\d*\\s*");

    @Override
    public BindHandler apply(BindHandler handler) {
        return new AbstractBindHandler(handler) {
            @Override
            public @Nullable Object onSuccess(
                    ConfigurationPropertyName name, Bindable<?> target, BindContext context, Object result) {
                ConfigurationProperty property = context.getConfigurationProperty();
                if (property != null && isOfHoldfast(name) && target.getType().resolve() == Duration.class) {
                    requireUnit(name, text(context, name));
                }
                return super.onSuccess(name, target, context, result);
            }

            @Override
            public @Nullable Object onFailure(
                    ConfigurationPropertyName name, Bindable<?> target, BindContext context, Exception error)
                    throws Exception {
                ConfigurationProperty property = context.getConfigurationProperty();
                // Another handler rejects properties that have been bound without success.
                return property != null
                                && isOfHoldfast(name)
                                && isLimit(name)
                                && text(context, name).equals(FOREVER)
                        ? super.onSuccess(name, target, context, LockOptions.FOREVER)
                        : super.onFailure(name, target, context, error);
            }
        };
    }

    /** Returns the text of the property, in which placeholders have been replaced. */
    private static String text(BindContext context, ConfigurationPropertyName name) {
        return context.getBinder().bind(name, Bindable.of(String.class)).orElse("");
    }

    private static boolean isOfHoldfast(ConfigurationPropertyName name) {
        return ConfigurationPropertyName.of("holdfast").isAncestorOf(name)
                || ConfigurationPropertyName.of("management.health.holdfast").isAncestorOf(name);
    }

    private static boolean isLimit(ConfigurationPropertyName name) {
        return name.getLastElement(Form.UNIFORM).endsWith("limit");
    }

    private static void requireUnit(ConfigurationPropertyName name, String value) {
        if (NUMBER.matcher(value).matches()) {
            throw new IllegalArgumentException(name + " '" + value + "' has no unit; write 500ms, 30s, 2m or 1h");
        }
    }
}

package io.holdfast.cli;

import io.holdfast.Restarts;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** From the word on the command line. */
final class RestartsConverter implements ITypeConverter<Restarts> {

    @Override
    public Restarts convert(String text) {
        return switch (text) {
            case "quarantine" -> Restarts.QUARANTINE;
            case "durable" -> Restarts.DURABLE;
            case "at-once" -> Restarts.AT_ONCE;
            default -> throw new TypeConversionException("'" + text + "' is none of quarantine, durable, at-once");
        };
    }
}

package io.holdfast.cli;

import java.util.Locale;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** What becomes of the command when its lock is lost. */
enum OnLost {
    KILL,
    WARN;

    /** From the word on the command line. */
    static final class Converter implements ITypeConverter<OnLost> {

        @Override
        public OnLost convert(String text) {
            for (OnLost choice : values()) {
                if (choice.name().toLowerCase(Locale.ROOT).equals(text)) {
                    return choice;
                }
            }
            throw new TypeConversionException("'" + text + "' is neither kill nor warn");
        }
    }
}

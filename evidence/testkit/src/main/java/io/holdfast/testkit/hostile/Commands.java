package io.holdfast.testkit.hostile;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Reads commands as a Redis server does. */
final class Commands {

    private Commands() {}

    static List<String> read(InputStream in) throws IOException {
        int count = number(in);
        if (count == 0) {
            // Such as the probe of a client whose connection took too long: whether the server speaks TLS.
            throw new EOFException("the client sends something else than commands");
        }
        List<String> words = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            byte[] word = in.readNBytes(number(in));
            words.add(new String(word, StandardCharsets.UTF_8));
            in.skipNBytes(2);
        }
        return words;
    }

    /** Reads the number behind the type, up to the end of the line. */
    private static int number(InputStream in) throws IOException {
        byte[] type = in.readNBytes(1);
        if (type.length == 0) {
            throw new EOFException("the client has ended the connection");
        }
        int number = 0;
        for (int next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0) {
                throw new EOFException("the client has ended the connection");
            }
            number = next >= '0' && next <= '9' ? number * 10 + (next - '0') : number;
        }
        return number;
    }
}

package io.holdfast.testkit.hostile;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.stream.IntStream;

/**
 * A reply as it is on the wire, for a test that changes it.
 *
 * @param type the first byte, such as {@code $} for a text or {@code *} for a list
 * @param text the content of what is no list; {@code -1} with the type of a list for null
 * @param items the parts of a list, and the keys and values of a map in turn
 */
public record ServerReply(char type, String text, List<ServerReply> items) {

    /** Nothing, in RESP2 and RESP3 alike. */
    public static final ServerReply NULL = new ServerReply('*', "-1", List.of());

    private static final String LISTS = "*~>%";
    private static final String TEXTS = "$=!";
    private static final String FORMAT = "txt:";

    /** Returns a text. */
    public static ServerReply text(String text) {
        return new ServerReply('$', text, List.of());
    }

    /** Returns the content of a text, without the format that precedes it in RESP3. */
    public String content() {
        return type == '=' ? text.substring(FORMAT.length()) : text;
    }

    /** Returns the reply without the part at this position, and without its key or value if that is in a map. */
    public ServerReply without(List<Integer> path) {
        return with(path, (parent, index) -> {
            List<ServerReply> rest = new ArrayList<>(parent.items);
            rest.remove((int) index);
            if (parent.type == '%') {
                rest.remove(index - index % 2);
            }
            return rest;
        });
    }

    /** Returns the reply with another part at this position. */
    public ServerReply with(List<Integer> path, ServerReply part) {
        return with(path, (parent, index) -> {
            List<ServerReply> changed = new ArrayList<>(parent.items);
            changed.set(index, part);
            return changed;
        });
    }

    private ServerReply with(List<Integer> path, BiFunction<ServerReply, Integer, List<ServerReply>> change) {
        int index = path.get(0);
        List<ServerReply> changed = path.size() == 1
                ? change.apply(this, index)
                : with(List.of(index), items.get(index).with(path.subList(1, path.size()), change)).items;
        return new ServerReply(type, text, changed);
    }

    /** Returns the positions of all parts, at any depth, as paths of indices. */
    public List<List<Integer>> paths() {
        List<List<Integer>> paths = new ArrayList<>();
        IntStream.range(0, items.size()).forEach(i -> {
            paths.add(List.of(i));
            items.get(i).paths().forEach(below -> {
                List<Integer> path = new ArrayList<>(List.of(i));
                path.addAll(below);
                paths.add(path);
            });
        });
        return paths;
    }

    static ServerReply read(InputStream in) throws IOException {
        int type = in.read();
        if (type < 0) {
            throw new EOFException("the server has ended the connection");
        }
        String line = line(in);
        if (line.equals("-1") && "$*".indexOf(type) >= 0) {
            return NULL;
        } else if (TEXTS.indexOf(type) >= 0) {
            String text = new String(in.readNBytes(Integer.parseInt(line)), StandardCharsets.ISO_8859_1);
            in.skipNBytes(2);
            return new ServerReply((char) type, text, List.of());
        } else if (LISTS.indexOf(type) < 0) {
            return new ServerReply((char) type, line, List.of());
        }
        List<ServerReply> items = new ArrayList<>();
        for (int left = Integer.parseInt(line) * (type == '%' ? 2 : 1); left > 0; left--) {
            items.add(read(in));
        }
        return new ServerReply((char) type, "", items);
    }

    private static String line(InputStream in) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0) {
                throw new EOFException("the server has ended the connection");
            }
            line.write(next);
        }
        return line.toString(StandardCharsets.ISO_8859_1).stripTrailing();
    }

    byte[] bytes() {
        StringBuilder wire = new StringBuilder();
        write(wire);
        return wire.toString().getBytes(StandardCharsets.ISO_8859_1);
    }

    private void write(StringBuilder wire) {
        wire.append(type);
        if (TEXTS.indexOf(type) >= 0) {
            wire.append(text.length()).append("\r\n").append(text).append("\r\n");
        } else if (LISTS.indexOf(type) < 0 || !text.isEmpty()) {
            wire.append(text).append("\r\n");
        } else {
            wire.append(type == '%' ? items.size() / 2 : items.size()).append("\r\n");
            items.forEach(item -> item.write(wire));
        }
    }
}

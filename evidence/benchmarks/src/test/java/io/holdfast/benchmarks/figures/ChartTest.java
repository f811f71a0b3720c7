package io.holdfast.benchmarks.figures;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/** A chart shows what its table says. */
class ChartTest {

    private static final ChartKind KIND = new ChartKind(
            "sample", "A <sample>", List.of("N"), List.of("library", "on disk"), "median", List.of("99 %", "longest"));

    private static final MarkdownTable TABLE = MarkdownTable.parse(List.of(
            "| N | library | on disk | median | 99 % | longest |",
            "|---|---|---|---|---|---|",
            "| 1 | Holdfast | none | 20 µs | 50 µs | 700 µs |",
            "| 1 | Curator | fsync | 80 µs | 100 µs | 9000 µs |",
            "| 1 | A & B | none | – | – | – |",
            "| 3 | Holdfast | none | 2.5 ms | 2.5 ms | 3.0 ms |"));

    private final Document picture = parse(Chart.draw(KIND, TABLE));

    private static Document parse(String svg) {
        try {
            return DocumentBuilderFactory.newInstance()
                    .newDocumentBuilder()
                    .parse(new ByteArrayInputStream(svg.getBytes(StandardCharsets.UTF_8)));
        } catch (Exception e) {
            throw new AssertionError("The picture is no XML: " + svg, e);
        }
    }

    private List<Element> elements(String name) {
        NodeList nodes = picture.getElementsByTagName(name);
        return IntStream.range(0, nodes.getLength())
                .mapToObj(i -> (Element) nodes.item(i))
                .toList();
    }

    private List<String> texts() {
        return elements("text").stream().map(Element::getTextContent).toList();
    }

    private List<Element> bars() {
        return elements("rect").stream()
                .filter(rect -> !rect.getAttribute("class").equals("back"))
                .toList();
    }

    private double width(int bar) {
        return Double.parseDouble(bars().get(bar).getAttribute("width"));
    }

    @Test
    void draw_rowsOfAGroup_haveBarsInProportionToTheirFigures() {
        assertThat(bars()).hasSize(3);
        assertThat(width(1) / width(0)).isCloseTo(4, within(0.01));
    }

    @Test
    void draw_eachGroup_hasItsOwnScaleUpToTheGreatestWhisker() {
        assertThat(width(2)).isCloseTo(width(1) / 0.8, within(0.2));
    }

    @Test
    void draw_whisker_endsAtThe99thPercentile() {
        String path = elements("path").get(0).getAttribute("d");
        double left = Double.parseDouble(bars().get(0).getAttribute("x"));
        double end = Double.parseDouble(path.replaceAll(".* H([0-9.]+) .*", "$1"));

        assertThat(end - left).isCloseTo(width(0) * 2.5, within(0.2));
        assertThat(elements("path")).hasSize(3);
    }

    @Test
    void draw_whiskerFarBeyondTheLongestBar_endsInAnArrowAtTheScale() {
        MarkdownTable table = MarkdownTable.parse(List.of(
                "| N | library | on disk | median | 99 % | longest |",
                "|---|---|---|---|---|---|",
                "| 1 | Holdfast | none | 20 µs | 30 µs | 30 µs |",
                "| 1 | Curator | fsync | 10 µs | 9000 µs | 9000 µs |"));

        Document clipped = parse(Chart.draw(KIND, table));

        NodeList whiskers = clipped.getElementsByTagName("path");
        assertThat(ends((Element) whiskers.item(0))).containsOnly(0.938);
        assertThat(ends((Element) whiskers.item(1))).contains(1.0).hasSize(2);
    }

    /** Returns the ends of a whisker in shares of the scale; an arrow has two. */
    private static Set<Double> ends(Element whisker) {
        return Pattern.compile("[HL]([0-9.]+)")
                .matcher(whisker.getAttribute("d"))
                .results()
                .map(end -> Math.round((Double.parseDouble(end.group(1)) - 220) / 330 * 1000) / 1000.0)
                .collect(Collectors.toSet());
    }

    @Test
    void draw_texts_areTheCellsOfTheTable() {
        assertThat(texts())
                .contains(
                        "A <sample>",
                        "N = 1",
                        "Holdfast",
                        "20 µs (50 µs, 700 µs)",
                        "Curator (fsync)",
                        "80 µs (100 µs, 9000 µs)",
                        "N = 3",
                        "2.5 ms (2.5 ms, 3.0 ms)");
    }

    @Test
    void draw_rowWithoutFigure_hasATextAndNoBar() {
        int label = texts().indexOf("A & B");

        assertThat(label).isPositive();
        assertThat(texts().get(label + 1)).isEqualTo(Tables.NONE);
    }

    @Test
    void draw_barsOfHoldfast_haveTheirOwnColour() {
        assertThat(bars()).extracting(bar -> bar.getAttribute("class")).containsExactly("ours", "others", "ours");
    }

    @Test
    void draw_allTexts_areWithinThePicture() {
        double width = Double.parseDouble(picture.getDocumentElement().getAttribute("width"));
        double height = Double.parseDouble(picture.getDocumentElement().getAttribute("height"));

        assertThat(elements("text")).allSatisfy(text -> {
            double right = Double.parseDouble(text.getAttribute("x"))
                    + text.getTextContent().length() * 7.2;
            assertThat(right).as(text.getTextContent()).isLessThan(width);
            assertThat(Double.parseDouble(text.getAttribute("y"))).isLessThan(height);
        });
    }

    @Test
    void draw_tableWithoutAColumn_namesItAndTheOthers() {
        MarkdownTable other = MarkdownTable.parse(List.of("| N | library |", "|---|---|", "| 1 | Holdfast |"));

        assertThatThrownBy(() -> Chart.draw(KIND, other))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("no column median")
                .hasMessageContaining("N, library");
    }
}

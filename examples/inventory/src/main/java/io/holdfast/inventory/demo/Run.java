package io.holdfast.inventory.demo;

/**
 * The result of one way to sell.
 *
 * @param way its name
 * @param pieces the stock at the beginning
 * @param sold the pieces that were sold under load
 * @param left the pieces that the stock counted afterwards
 * @param last the sale of the last piece
 */
record Run(String way, int pieces, int sold, int left, LastPiece last) {

    /** Returns how many pieces were sold that did not exist, or are counted although they were sold. */
    int oversold() {
        return sold + left - pieces;
    }

    String row() {
        return String.format(
                "%-22s %8d %8d %10d   %s",
                way, sold, left, oversold(), last.sold() == 1 ? "once" : last.sold() + " times");
    }

    static String header() {
        return String.format("%-22s %8s %8s %10s   %s", "", "sold", "left", "oversold", "last piece sold");
    }
}

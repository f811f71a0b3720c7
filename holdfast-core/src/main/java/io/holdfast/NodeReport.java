package io.holdfast;

import io.holdfast.node.Checkup;

/**
 * How fit one node is.
 *
 * @param node its name
 * @param checkup what was found
 */
public record NodeReport(String node, Checkup checkup) {}

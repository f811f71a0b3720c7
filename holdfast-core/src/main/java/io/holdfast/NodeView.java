package io.holdfast;

import io.holdfast.node.Told;

/**
 * What one node told.
 *
 * @param node its name
 * @param told what, or why nothing
 */
public record NodeView<T>(String node, Told<T> told) {}

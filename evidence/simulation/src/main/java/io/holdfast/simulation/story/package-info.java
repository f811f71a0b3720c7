/** A scripted run that explains the protocol step by step. The website draws it. */
@NullMarked
package io.holdfast.simulation.story;

import org.jspecify.annotations.NullMarked;

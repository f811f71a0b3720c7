/** One client of the nodes: its acquisitions, holds, callbacks, events and log. Not exported. */
@NullMarked
package io.holdfast.client;

import org.jspecify.annotations.NullMarked;

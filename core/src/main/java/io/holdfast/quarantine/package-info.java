/** The quarantine of restarted nodes: observation, the floor of their fences, and admission. Not exported. */
@NullMarked
package io.holdfast.quarantine;

import org.jspecify.annotations.NullMarked;

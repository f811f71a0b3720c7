/** The conformance kit: tests of a client in any language, which Holdfast shares servers with. */
@NullMarked
package io.holdfast.interop.kit;

import org.jspecify.annotations.NullMarked;

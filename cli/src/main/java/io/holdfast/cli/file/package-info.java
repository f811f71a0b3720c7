/** The files that a user names: secrets, certificates and keys; and a thread for a call that may not end. */
@NullMarked
package io.holdfast.cli.file;

import org.jspecify.annotations.NullMarked;

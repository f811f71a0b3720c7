/** The files that a user names: secrets, certificates and keys. */
@NullMarked
package io.holdfast.cli.file;

import org.jspecify.annotations.NullMarked;

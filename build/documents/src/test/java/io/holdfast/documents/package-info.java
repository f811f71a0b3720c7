/** Tests of the code in the documents. */
@NullMarked
package io.holdfast.documents;

import org.jspecify.annotations.NullMarked;

/** The demonstration: three servers, three workers, and what befalls them. */
@NullMarked
package io.holdfast.cli.demo;

import org.jspecify.annotations.NullMarked;

/** One test for all lock libraries: processes count under a lock while a fault happens, and a witness examines them. */
@NullMarked
package io.holdfast.scoreboard;

import org.jspecify.annotations.NullMarked;

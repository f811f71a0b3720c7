/** The demonstration: it starts a database, Redis servers and shops, sells under load, and breaks things. */
@NullMarked
package io.holdfast.inventory.demo;

import org.jspecify.annotations.NullMarked;

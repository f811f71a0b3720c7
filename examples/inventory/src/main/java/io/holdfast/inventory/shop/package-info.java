/** The shop: a Spring Boot application, of which several processes use one database. */
@NullMarked
package io.holdfast.inventory.shop;

import org.jspecify.annotations.NullMarked;

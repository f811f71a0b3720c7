package io.holdfast.inventory.shop;

import org.springframework.boot.autoconfigure.SpringBootApplication;

/** One shop. */
@SpringBootApplication
public class ShopApplication {}

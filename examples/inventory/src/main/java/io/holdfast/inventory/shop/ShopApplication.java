package io.holdfast.inventory.shop;

import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.scheduling.annotation.EnableScheduling;

/** One shop. */
@SpringBootApplication
@EnableScheduling
public class ShopApplication {}

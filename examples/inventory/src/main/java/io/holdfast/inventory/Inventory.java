package io.holdfast.inventory;

import io.holdfast.inventory.demo.Demo;
import io.holdfast.inventory.shop.ShopApplication;
import java.util.Arrays;
import org.springframework.boot.SpringApplication;

/** Starts the demonstration, or one shop of it: {@code java -jar inventory-app.jar shop --server.port=8081 ...}. */
public final class Inventory {

    private Inventory() {}

    /** Starts a shop if the first argument is {@code shop}, else the demonstration. */
    public static void main(String... arguments) throws Exception {
        if (arguments.length > 0 && arguments[0].equals("shop")) {
            SpringApplication.run(ShopApplication.class, Arrays.copyOfRange(arguments, 1, arguments.length));
        } else if (!Demo.run()) {
            System.exit(1);
        }
    }
}

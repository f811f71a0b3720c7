package io.holdfast.testkit.contract;

import io.holdfast.Holdfast;
import io.holdfast.LockOptions;
import java.util.List;
import java.util.function.Consumer;

/** An application that holds a lock and ends its client, as it does when a container undeploys it. */
public final class DeployedApplication implements Consumer<String> {

    @Override
    public void accept(String address) {
        try (Holdfast holdfast = Holdfast.connect(List.of(address))) {
            holdfast.lock("deployed").acquire(LockOptions.FOREVER).close();
        } catch (InterruptedException e) {
            throw new IllegalStateException("The application was interrupted", e);
        }
    }
}

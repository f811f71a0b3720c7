package io.holdfast.test;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Holdfast;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import org.junit.jupiter.api.Test;

/** Tests the extension where the module that starts servers, which is optional, is not on the class path. */
class MissingModuleTest {

    @Test
    void start_withoutTheModuleOfServers_namesTheRemedy() throws Exception {
        URL[] modules = {location(NodesOnServers.class), location(Holdfast.class)};
        try (URLClassLoader application = new URLClassLoader(modules, ClassLoader.getPlatformClassLoader())) {
            Method start = application.loadClass(NodesOnServers.class.getName()).getDeclaredMethod("start", int.class);
            start.setAccessible(true);

            assertThatThrownBy(() -> start.invoke(null, 3))
                    .cause()
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("io.holdfast:holdfast-servers")
                    .hasMessageContaining("add them with scope test");
        }
    }

    private static URL location(Class<?> type) {
        return type.getProtectionDomain().getCodeSource().getLocation();
    }
}

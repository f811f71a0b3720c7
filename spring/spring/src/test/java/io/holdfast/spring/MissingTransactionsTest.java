package io.holdfast.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.Callable;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** Tests calls of locked methods in an application that lacks classes of Spring's transactions, which are optional. */
class MissingTransactionsTest {

    private static final String TRANSACTIONS = "org.springframework.transaction.";

    @Test
    void call_withoutTransactions_runsAndReleasesTheLock() throws Exception {
        assertThat(report(name -> name.startsWith(TRANSACTIONS)))
                .isEqualTo("call: ran; held: false; publisher: ran; held: false");
    }

    @Test
    void call_failsAfterTheGrant_releasesTheLock() throws Exception {
        assertThat(report((TRANSACTIONS + "support.TransactionSynchronization")::equals))
                .startsWith("call: NoClassDefFoundError; held: false");
    }

    private static String report(Predicate<String> missing) throws Exception {
        Class<?> application = new Incomplete(missing).loadClass("io.holdfast.spring.ApplicationWithoutTransactions");
        return String.valueOf(
                ((Callable<?>) application.getDeclaredConstructor().newInstance()).call());
    }

    /** Loads the classes of this module again, so that they are linked without the missing ones. */
    private static final class Incomplete extends ClassLoader {

        private final Predicate<String> missing;

        Incomplete(Predicate<String> missing) {
            super(MissingTransactionsTest.class.getClassLoader());
            this.missing = missing;
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (missing.test(name)) {
                throw new ClassNotFoundException(name);
            }
            synchronized (getClassLoadingLock(name)) {
                Class<?> loaded = findLoadedClass(name);
                if (loaded != null) {
                    return loaded;
                }
                return name.startsWith("io.holdfast.spring.") ? define(name) : super.loadClass(name, resolve);
            }
        }

        private Class<?> define(String name) throws ClassNotFoundException {
            try (InputStream file = getResourceAsStream(name.replace('.', '/') + ".class")) {
                if (file == null) {
                    throw new ClassNotFoundException(name);
                }
                byte[] bytes = file.readAllBytes();
                return defineClass(name, bytes, 0, bytes.length);
            } catch (IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }
}

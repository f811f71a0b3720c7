package io.holdfast.servers;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;

/** A self-signed certificate for servers on this machine, made with the JDK's keytool. */
public final class ServerCertificate {

    private static final String PASSWORD = "changeit";
    private static final String ALIAS = "server";
    private static final int PEM_LINE = 64;

    private final Path directory;

    private ServerCertificate(Path directory) {
        this.directory = directory;
    }

    /**
     * Makes a certificate for 127.0.0.1.
     *
     * @param directory the directory for its files
     */
    public static ServerCertificate in(Path directory) throws IOException, GeneralSecurityException {
        ServerCertificate made = new ServerCertificate(directory);
        run(List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-J-XX:TieredStopAtLevel=1",
                "-J-XX:+UseSerialGC",
                "-genkeypair",
                "-alias",
                ALIAS,
                "-keyalg",
                "EC",
                "-dname",
                "CN=holdfast test",
                "-ext",
                "san=ip:127.0.0.1",
                "-ext",
                "bc:c=ca:true",
                "-storetype",
                "PKCS12",
                "-storepass",
                PASSWORD,
                "-keystore",
                made.store().toString()));
        made.export();
        return made;
    }

    private static void run(List<String> command) throws IOException {
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (process.waitFor() != 0) {
                throw new IOException("keytool failed: " + output);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("Interrupted while keytool ran", e);
        }
    }

    private KeyStore keys() throws IOException, GeneralSecurityException {
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(store())) {
            keys.load(in, PASSWORD.toCharArray());
        }
        return keys;
    }

    /** Returns this certificate as that of a client, for servers with {@code tls-auth-clients yes}. */
    public KeyManagerFactory keyManagers() throws IOException, GeneralSecurityException {
        KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        factory.init(keys(), PASSWORD.toCharArray());
        return factory;
    }

    private void export() throws IOException, GeneralSecurityException {
        KeyStore keys = keys();
        Files.writeString(
                certificate(), pem("CERTIFICATE", keys.getCertificate(ALIAS).getEncoded()));
        Files.writeString(
                key(),
                pem("PRIVATE KEY", keys.getKey(ALIAS, PASSWORD.toCharArray()).getEncoded()));
    }

    private static String pem(String kind, byte[] content) {
        return "-----BEGIN " + kind + "-----\n"
                + Base64.getMimeEncoder(PEM_LINE, new byte[] {'\n'}).encodeToString(content) + "\n-----END " + kind
                + "-----\n";
    }

    private Path store() {
        return directory.resolve("certificate.p12");
    }

    /** Returns the certificate as a PEM file. */
    public Path certificate() {
        return directory.resolve("certificate.pem");
    }

    /** Returns the private key as a PEM file, in PKCS#8. */
    public Path key() {
        return directory.resolve("key.pem");
    }

    /** Returns the options of a server that uses this certificate and accepts TLS connections on the given port. */
    public RedisServerOptions options(int port) {
        return RedisServerOptions.DEFAULT
                .withConfig("tls-port " + port)
                .withConfig("tls-cert-file \"" + certificate() + "\"")
                .withConfig("tls-key-file \"" + key() + "\"")
                .withConfig("tls-ca-cert-file \"" + certificate() + "\"")
                .withConfig("tls-auth-clients no");
    }

    /** Makes this process trust only this certificate, until {@link #distrust} is called. */
    public void trust() {
        System.setProperty("javax.net.ssl.trustStore", store().toString());
        System.setProperty("javax.net.ssl.trustStorePassword", PASSWORD);
    }

    /** Restores the default trust store of this process. */
    public static void distrust() {
        System.clearProperty("javax.net.ssl.trustStore");
        System.clearProperty("javax.net.ssl.trustStorePassword");
    }
}

package io.holdfast.cli.option;

import io.holdfast.cli.exit.ExitCode;
import io.holdfast.cli.exit.Failure;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;

/** The certificates that this process trusts for TLS, instead of the ones that Java trusts. */
final class TrustStore {

    private static final String PASSWORD = "holdfast";

    private TrustStore() {}

    /** Makes this process trust only the certificates in this PEM file. */
    static void trust(String pem) {
        try {
            Path store = Files.createTempFile("holdfast-ca", ".p12");
            store.toFile().deleteOnExit();
            try (InputStream in = Files.newInputStream(Path.of(pem));
                    OutputStream out = Files.newOutputStream(store)) {
                store(in).store(out, PASSWORD.toCharArray());
            }
            System.setProperty("javax.net.ssl.trustStore", store.toString());
            System.setProperty("javax.net.ssl.trustStorePassword", PASSWORD);
            System.setProperty("javax.net.ssl.trustStoreType", "PKCS12");
        } catch (IOException | GeneralSecurityException e) {
            throw new Failure(
                    ExitCode.USAGE,
                    "the certificates in " + pem + " cannot be read (" + e.getMessage()
                            + "); use a file in PEM format");
        }
    }

    private static KeyStore store(InputStream pem) throws IOException, GeneralSecurityException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        int count = 0;
        for (Certificate certificate : CertificateFactory.getInstance("X.509").generateCertificates(pem)) {
            store.setCertificateEntry("ca-" + count++, certificate);
        }
        if (count == 0) {
            throw new IOException("it contains none");
        }
        return store;
    }
}

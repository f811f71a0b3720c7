package io.holdfast.cli.file;

import io.holdfast.cli.exit.ExitCode;
import io.holdfast.cli.exit.Failure;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import javax.net.ssl.TrustManagerFactory;

/** The certificates that the command trusts for TLS, instead of the ones that Java trusts. */
public final class TrustStore {

    private TrustStore() {}

    /** Returns trust in the certificates in this PEM file only. */
    public static TrustManagerFactory of(String pem) {
        String file = "the file of certificates " + pem;
        try {
            InputStream in = new ByteArrayInputStream(InputFile.bytes(Path.of(pem)));
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(null, null);
            int count = 0;
            for (Certificate certificate :
                    CertificateFactory.getInstance("X.509").generateCertificates(in)) {
                store.setCertificateEntry("ca-" + count++, certificate);
            }
            if (count == 0) {
                throw new CertificateException("it contains none");
            }
            TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(store);
            return trust;
        } catch (IOException e) {
            throw Unreadable.of(file, e);
        } catch (GeneralSecurityException e) {
            throw new Failure(
                    ExitCode.USAGE, file + " is not in PEM format (" + e.getMessage() + "); give one that is");
        }
    }
}

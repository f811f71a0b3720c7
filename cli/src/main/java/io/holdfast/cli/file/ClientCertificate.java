package io.holdfast.cli.file;

import io.holdfast.cli.exit.ExitCode;
import io.holdfast.cli.exit.Failure;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.KeyManagerFactory;

/** The certificate by which servers know this client, and its private key; both in PEM format. */
public final class ClientCertificate {

    private static final Pattern PRIVATE_KEY =
            Pattern.compile("-----BEGIN ([A-Z ]*)PRIVATE KEY-----([A-Za-z0-9+/=\\s]*)-----END [A-Z ]*PRIVATE KEY-----");

    /** By the kind of the key, an algorithm that signs with it. */
    private static final Map<String, String> SIGNATURES =
            Map.of("RSA", "SHA256withRSA", "EC", "SHA256withECDSA", "EdDSA", "EdDSA", "Ed25519", "Ed25519");

    private static final char[] NO_PASSWORD = {};

    private ClientCertificate() {}

    /**
     * Returns the certificate with its chain, and the key.
     *
     * @throws Failure if one of them cannot be read, or if they do not belong to each other
     */
    public static KeyManagerFactory of(String certificateFile, String keyFile) {
        Certificate[] chain = chain(certificateFile);
        PublicKey known = chain[0].getPublicKey();
        PrivateKey key = key(keyFile, known.getAlgorithm());
        try {
            if (!belongs(key, known)) {
                throw new Failure(
                        ExitCode.USAGE,
                        "the key " + keyFile + " does not belong to the certificate " + certificateFile
                                + "; give the key with which it was made");
            }
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(null, null);
            store.setKeyEntry("client", key, NO_PASSWORD, chain);
            KeyManagerFactory managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            managers.init(store, NO_PASSWORD);
            return managers;
        } catch (GeneralSecurityException | IOException e) {
            throw new Failure(
                    ExitCode.USAGE,
                    "the certificate " + certificateFile + " and its key cannot be used: " + e.getMessage());
        }
    }

    private static Certificate[] chain(String file) {
        try {
            Certificate[] chain = CertificateFactory.getInstance("X.509")
                    .generateCertificates(new ByteArrayInputStream(InputFile.bytes(Path.of(file))))
                    .toArray(Certificate[]::new);
            if (chain.length == 0) {
                throw new CertificateException("it contains none");
            }
            return chain;
        } catch (IOException e) {
            throw Unreadable.of("the certificate " + file, e);
        } catch (GeneralSecurityException e) {
            throw new Failure(
                    ExitCode.USAGE,
                    "the certificate " + file + " is not in PEM format (" + e.getMessage() + "); give one that is");
        }
    }

    private static PrivateKey key(String file, String algorithm) {
        String name = "the key " + file;
        String text;
        try {
            text = InputFile.text(Path.of(file));
        } catch (IOException e) {
            throw Unreadable.of(name, e);
        }
        Matcher key = PRIVATE_KEY.matcher(text);
        if (!key.find() || !key.group(1).isEmpty()) {
            // OpenSSL reads and writes the older forms, and those with a passphrase.
            throw new Failure(
                    ExitCode.USAGE,
                    name + " is not an unencrypted private key in PKCS#8 (BEGIN PRIVATE KEY); convert it: openssl pkcs8"
                            + " -topk8 -nocrypt -in " + file + " -out NEW");
        }
        try {
            byte[] encoded = Base64.getMimeDecoder().decode(key.group(2));
            return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(encoded));
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            throw new Failure(
                    ExitCode.USAGE,
                    name + " is damaged, or of another kind than its certificate (" + algorithm
                            + "); give the one with which it was made");
        }
    }

    /** Otherwise the server would refuse each connection, for a reason that only its log contains. */
    private static boolean belongs(PrivateKey key, PublicKey known) throws GeneralSecurityException {
        String algorithm = SIGNATURES.get(known.getAlgorithm());
        if (algorithm == null) {
            return true;
        }
        byte[] text = {1};
        Signature signer = Signature.getInstance(algorithm);
        signer.initSign(key);
        signer.update(text);
        byte[] signature = signer.sign();
        Signature verifier = Signature.getInstance(algorithm);
        verifier.initVerify(known);
        verifier.update(text);
        return verifier.verify(signature);
    }
}

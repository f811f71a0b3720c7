package io.holdfast.cli.file;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExposedFileTest {

    @ParameterizedTest
    @CsvSource({
        "rw-------, true, false",
        "rw-------, false, false",
        "rw-r-----, true, false",
        "rw-r-----, false, true",
        "rw-rw----, true, true",
        "rw-r--r--, true, true",
        "rw----r--, false, true"
    })
    void isExposed_permissions_areThoseOfLibpq(String permissions, boolean isOfRoot, boolean isExposed) {
        assertThat(SecretFile.isExposed(PosixFilePermissions.fromString(permissions), isOfRoot))
                .isEqualTo(isExposed);
    }
}

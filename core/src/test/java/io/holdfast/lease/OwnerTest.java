package io.holdfast.lease;

import static org.assertj.core.api.Assertions.assertThat;

import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class OwnerTest {

    private static final int RANDOM_BITS = 160;

    /** Returns the same bits at each call. */
    private static final class Bits extends SecureRandom {

        private static final long serialVersionUID = 1;

        private final byte[] bits;

        Bits(byte... bits) {
            this.bits = bits;
        }

        @Override
        public void nextBytes(byte[] bytes) {
            System.arraycopy(bits, 0, bytes, 0, bytes.length);
        }
    }

    @Test
    void fresh_anyBitDiffers_tokenDiffers() {
        for (byte rest : new byte[] {0, -1}) {
            List<String> tokens = new ArrayList<>();
            for (int bit = 0; bit < RANDOM_BITS; bit++) {
                byte[] bits = new byte[RANDOM_BITS / 8];
                Arrays.fill(bits, rest);
                bits[bit / 8] ^= (byte) (1 << bit % 8);
                tokens.add(Owner.fresh(new Bits(bits)).token());
            }

            assertThat(tokens).doesNotHaveDuplicates().allMatch(token -> token.matches("[0-9a-z]{31}"));
        }
    }

    @Test
    void fresh_withClient_endsInItsIdAndFitsInOneBlock() {
        Owner owner = Owner.fresh(new SecureRandom(), "abcdefghij-1");

        assertThat(owner.client()).isEqualTo("abcdefghij-1");
        assertThat(owner.token()).matches("[0-9a-z]{31}\\.abcdefghij-1").hasSizeLessThanOrEqualTo(44);
    }
}

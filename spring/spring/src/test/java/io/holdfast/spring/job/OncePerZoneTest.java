package io.holdfast.spring.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Method;
import java.time.ZoneId;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.scheduling.annotation.Scheduled;

/** The days of a method are those by which its scheduler starts it. */
class OncePerZoneTest {

    private static final String DAILY = "0 30 2 * * *";

    /** Methods of a scheduler. */
    static class Jobs {

        @Scheduled(cron = DAILY, zone = "${zone}")
        void elsewhere() {}

        @Scheduled(cron = DAILY)
        void here() {}

        void byHand() {}

        @Scheduled(cron = DAILY, zone = "Asia/Tokyo")
        @Scheduled(cron = DAILY, zone = "Europe/Berlin")
        void twice() {}
    }

    private static ZoneId zone(String name) {
        DefaultListableBeanFactory beans = new DefaultListableBeanFactory();
        beans.addEmbeddedValueResolver(text -> text.replace("${zone}", "Asia/Tokyo"));
        Method method = Stream.of(Jobs.class.getDeclaredMethods())
                .filter(one -> one.getName().equals(name))
                .findFirst()
                .orElseThrow();
        return OncePer.of("@daily", method, name, beans).orElseThrow().zone();
    }

    @Test
    void zone_ofTheScheduler_isUsed() {
        assertThat(zone("elsewhere")).isEqualTo(ZoneId.of("Asia/Tokyo"));
    }

    @Test
    void zone_notStated_isThatOfTheProcess() {
        assertThat(zone("here")).isEqualTo(ZoneId.systemDefault());
        assertThat(zone("byHand")).isEqualTo(ZoneId.systemDefault());
    }

    @Test
    void zone_several_areRejected() {
        assertThatThrownBy(() -> zone("twice"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("[Asia/Tokyo, Europe/Berlin]");
    }
}

package io.holdfast.jobs.process;

import io.holdfast.Holdfast;
import io.holdfast.shedlock.HoldfastLockProvider;
import io.holdfast.spring.HoldfastLock;
import io.holdfast.spring.LockFactory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.RejectedExecutionHandler;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import net.javacrumbs.shedlock.core.DefaultLockingTaskExecutor;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockingTaskExecutor;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;
import org.springframework.scheduling.TaskScheduler;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;

/** A machine that starts jobs at each full hour of its own clock, which is fast. */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
@EnableScheduling
class HourlyApplication {

    /** Longer than the difference of the clocks and than the delay of a busy process. */
    private static final Duration AT_LEAST = Duration.ofSeconds(2);

    private static final String EACH_HOUR = "0 0 * * * *";

    public static void main(String... arguments) throws IOException {
        Environment environment =
                SpringApplication.run(HourlyApplication.class, arguments).getEnvironment();
        Files.createFile(Path.of(environment.getRequiredProperty("up")));
    }

    @Bean
    static FastHours hours(@Value("${origin}") String origin, @Value("${ahead}") long aheadSeconds) {
        return new FastHours(Instant.parse(origin), Duration.ofSeconds(aheadSeconds));
    }

    @Bean
    static BeanPostProcessor ownClock(FastHours hours) {
        return new BeanPostProcessor() {
            @Override
            public Object postProcessAfterInitialization(Object bean, String name) {
                return bean instanceof LockFactory locks ? locks.withClock(hours.clock()) : bean;
            }
        };
    }

    @Bean
    TaskScheduler taskScheduler(FastHours hours) {
        ThreadPoolTaskScheduler scheduler = new FastScheduler();
        scheduler.setClock(hours.clock());
        scheduler.setPoolSize(10);
        return scheduler;
    }

    /** Waits for the real time of what the clock will show. */
    static final class FastScheduler extends ThreadPoolTaskScheduler {

        @Override
        protected ScheduledExecutorService createExecutor(
                int size, ThreadFactory threads, RejectedExecutionHandler handler) {
            return new ScheduledThreadPoolExecutor(size, threads, handler) {
                @Override
                public ScheduledFuture<?> schedule(Runnable task, long delay, TimeUnit unit) {
                    Duration real = FastHours.real(Duration.of(delay, unit.toChronoUnit()));
                    return super.schedule(task, real.plusMillis(1).toNanos(), TimeUnit.NANOSECONDS);
                }
            };
        }
    }

    @Bean
    LockingTaskExecutor shedLock(Holdfast holdfast) {
        return new DefaultLockingTaskExecutor(new HoldfastLockProvider(holdfast));
    }

    @Bean
    Jobs jobs(FastHours hours, @Value("${directory}") String directory) {
        return new Jobs(hours, Path.of(directory));
    }

    /** The methods with an annotation. */
    static class Jobs {

        private final FastHours hours;
        private final Path directory;

        Jobs(FastHours hours, Path directory) {
            this.hours = hours;
            this.directory = directory;
        }

        @Scheduled(cron = EACH_HOUR)
        @HoldfastLock(value = "spring", oncePer = EACH_HOUR)
        public void annotated() throws IOException {
            Trouble.run(directory, "spring", hours.now());
        }

        @HoldfastLock(value = "shedlock:mixed", oncePer = "@hourly")
        public void mixed() throws IOException {
            Trouble.run(directory, "mixed", hours.now());
        }
    }

    @Bean
    Tasks tasks(
            FastHours hours,
            LockingTaskExecutor shedLock,
            Jobs jobs,
            @Value("${directory}") String directory,
            @Value("${mixed}") String mixed) {
        return new Tasks(hours, shedLock, jobs, Path.of(directory), mixed);
    }

    /** The tasks of ShedLock, and the job that all kinds of programs run. */
    static class Tasks {

        private final FastHours hours;
        private final LockingTaskExecutor shedLock;
        private final Jobs jobs;
        private final Path directory;
        private final String mixed;

        Tasks(FastHours hours, LockingTaskExecutor shedLock, Jobs jobs, Path directory, String mixed) {
            this.hours = hours;
            this.shedLock = shedLock;
            this.jobs = jobs;
            this.directory = directory;
            this.mixed = mixed;
        }

        @Scheduled(cron = EACH_HOUR)
        void task() throws Throwable {
            execute("task");
        }

        @Scheduled(cron = EACH_HOUR)
        void mixed() throws Throwable {
            if (mixed.equals("spring")) {
                jobs.mixed();
            } else if (mixed.equals("shedlock")) {
                execute("mixed");
            }
        }

        private void execute(String task) throws Throwable {
            Duration atLeast = task.equals("task") ? AT_LEAST : Duration.ZERO;
            LockConfiguration lock = new LockConfiguration(Instant.now(), task, Duration.ofSeconds(3), atLeast);
            int hour = hours.now();
            shedLock.executeWithLock(
                    (LockingTaskExecutor.Task) () -> Trouble.run(directory, "shedlock-" + task, hour), lock);
        }
    }
}

package io.holdfast.spring.boot.process;

import io.holdfast.spring.HoldfastLock;
import io.holdfast.spring.RefusalPolicy;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;

/** A process with jobs that all fire at the same instants, as those of the other processes do. It prints each run. */
@SpringBootConfiguration
@EnableAutoConfiguration
@EnableScheduling
class FiringApplication {

    /** The milliseconds between two firings of a job. */
    private static final int PERIOD = 5_000;

    /** One job, whose lock has its name. */
    static class Job {

        private final int number;

        Job(int number) {
            this.number = number;
        }

        public int number() {
            return number;
        }

        /** Keeps the lock longer than the clocks of the processes, or their start of the job, may differ. */
        @Scheduled(cron = "*/5 * * * * *")
        @HoldfastLock(value = "job:#{#root.number()}", onHeld = RefusalPolicy.SKIP, holdAtLeast = "3s")
        public void run() {
            print("ran");
        }

        /** Shows that this process fires: without a lock, each process runs it. */
        @Scheduled(cron = "*/5 * * * * *")
        public void fire() {
            print("fired");
        }

        /** Prints the job, the number of the firing, and how many milliseconds ago that was. */
        private void print(String event) {
            long now = System.currentTimeMillis();
            System.out.println(event + " " + number + " " + now / PERIOD + " " + now % PERIOD);
        }
    }

    public static void main(String... arguments) {
        SpringApplication application = new SpringApplication(FiringApplication.class);
        int jobs = Integer.getInteger("jobs");
        application.addInitializers((ApplicationContextInitializer<GenericApplicationContext>) context -> {
            for (int i = 0; i < jobs; i++) {
                int number = i;
                context.registerBean("job" + number, Job.class, () -> new Job(number));
            }
        });
        application.run(arguments);
    }
}

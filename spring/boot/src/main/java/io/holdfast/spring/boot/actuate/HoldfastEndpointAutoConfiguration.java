package io.holdfast.spring.boot.actuate;

import io.holdfast.Holdfast;
import io.holdfast.jobs.JobOverview;
import io.holdfast.spring.boot.HoldfastAutoConfiguration;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.BindingReflectionHintsRegistrar;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.EndpointAccessResolver;
import org.springframework.boot.actuate.endpoint.EndpointId;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ImportRuntimeHints;

/** Configures the endpoint, if it is exposed. */
@AutoConfiguration(after = HoldfastAutoConfiguration.class)
@ConditionalOnClass(ConditionalOnAvailableEndpoint.class)
@ConditionalOnBean({Holdfast.class, JobOverview.class})
@ConditionalOnAvailableEndpoint(HoldfastEndpoint.class)
@ImportRuntimeHints(HoldfastEndpointAutoConfiguration.Answers.class)
public final class HoldfastEndpointAutoConfiguration {

    HoldfastEndpointAutoConfiguration() {}

    /** The records that an answer consists of, which a native image has to be able to read. */
    static final class Answers implements RuntimeHintsRegistrar {

        @Override
        public void registerHints(RuntimeHints hints, @Nullable ClassLoader loader) {
            new BindingReflectionHintsRegistrar()
                    .registerReflectionHints(
                            hints.reflection(),
                            HoldfastEndpoint.Overview.class,
                            HoldfastEndpoint.Lock.class,
                            HoldfastEndpoint.Node.class,
                            JobView.class,
                            JobView.Run.class,
                            LeaseTable.HeldLock.class);
        }
    }

    @Bean
    LeaseTable holdfastLeaseTable(Holdfast holdfast) {
        return new LeaseTable(holdfast);
    }

    @Bean
    @ConditionalOnMissingBean
    HoldfastEndpoint holdfastEndpoint(
            Holdfast holdfast, LeaseTable leases, JobOverview jobs, ObjectProvider<EndpointAccessResolver> accesses) {
        EndpointAccessResolver access = accesses.getIfAvailable(() -> (id, defaultAccess) -> defaultAccess);
        boolean unrestricted = access.accessFor(EndpointId.of("holdfast"), Access.READ_ONLY) == Access.UNRESTRICTED;
        return new HoldfastEndpoint(holdfast, leases, jobs, unrestricted);
    }
}

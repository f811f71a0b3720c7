/**
 * Meters and observations of locks and nodes, for Micrometer.
 *
 * <pre>{@code
 * Holdfast holdfast = Holdfast.connect(addresses, HoldfastOptions.DEFAULT, MeteredNodes.of(registry));
 * new HoldfastMetrics(holdfast).bindTo(registry);
 * }</pre>
 *
 * {@link io.holdfast.micrometer.HoldfastMetrics} lists the meters of locks, {@link io.holdfast.micrometer.MeteredNodes}
 * measures the requests to nodes, and {@link io.holdfast.micrometer.HoldfastObservations} makes spans. The resources of
 * this package contain a dashboard for Grafana and alert rules for Prometheus.
 */
@NullMarked
package io.holdfast.micrometer;

import org.jspecify.annotations.NullMarked;

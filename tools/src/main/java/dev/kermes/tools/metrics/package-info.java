/** A page of metrics for Prometheus, with the names that exporters and dashboards of Redis use. */
@NullMarked
package dev.kermes.tools.metrics;

import org.jspecify.annotations.NullMarked;

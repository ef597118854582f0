/** Metrics and traces of the client's commands, by Micrometer. */
@NullMarked
package dev.kermes.client.micrometer;

import org.jspecify.annotations.NullMarked;

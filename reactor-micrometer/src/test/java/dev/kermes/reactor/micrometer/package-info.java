@NullMarked
package dev.kermes.reactor.micrometer;

import org.jspecify.annotations.NullMarked;

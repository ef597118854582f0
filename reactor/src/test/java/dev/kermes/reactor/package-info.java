@NullMarked
package dev.kermes.reactor;

import org.jspecify.annotations.NullMarked;

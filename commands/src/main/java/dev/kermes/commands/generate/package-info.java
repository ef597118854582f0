/**
 * Source generators over the command table; one template class per target, run through {@code
 * GeneratorMain}.
 */
@NullMarked
package dev.kermes.commands.generate;

import org.jspecify.annotations.NullMarked;

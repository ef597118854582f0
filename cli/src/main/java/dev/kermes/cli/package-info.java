/** The program behind {@code ./kermes}: server and command line. */
@NullMarked
package dev.kermes.cli;

import org.jspecify.annotations.NullMarked;

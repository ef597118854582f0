/** Words of a line, and the version of this build. */
@NullMarked
package dev.kermes.cli.text;

import org.jspecify.annotations.NullMarked;

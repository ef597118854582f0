/** EVAL, FUNCTION, FCALL. */
@NullMarked
package dev.kermes.server.command.scripting;

import org.jspecify.annotations.NullMarked;

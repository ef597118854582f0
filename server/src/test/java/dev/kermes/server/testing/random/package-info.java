/** Random commands, made from templates and from the command table. */
@NullMarked
package dev.kermes.server.testing.random;

import org.jspecify.annotations.NullMarked;

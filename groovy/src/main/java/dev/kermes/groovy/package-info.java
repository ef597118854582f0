/** The Redis client in Groovy: closures, named arguments, GStrings. */
@NullMarked
package dev.kermes.groovy;

import org.jspecify.annotations.NullMarked;

/** The Redis client in Groovy: closures, named arguments, GStrings. */
@NullMarked
package dev.kermes.groovydsl;

import org.jspecify.annotations.NullMarked;

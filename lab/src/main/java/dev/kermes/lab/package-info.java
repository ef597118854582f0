/** The measurements of the articles that Kermes began with, done again on today's JVM. */
@NullMarked
package dev.kermes.lab;

import org.jspecify.annotations.NullMarked;

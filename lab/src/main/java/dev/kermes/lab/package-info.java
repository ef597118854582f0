/** Repeats the measurements of the articles that Kermes began with, on a current JVM. */
@NullMarked
package dev.kermes.lab;

import org.jspecify.annotations.NullMarked;

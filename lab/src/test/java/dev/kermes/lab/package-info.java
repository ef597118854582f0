@NullMarked
package dev.kermes.lab;

import org.jspecify.annotations.NullMarked;

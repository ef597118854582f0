@NullMarked
package dev.kermes.events;

import org.jspecify.annotations.NullMarked;

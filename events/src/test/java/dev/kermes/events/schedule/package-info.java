@NullMarked
package dev.kermes.events.schedule;

import org.jspecify.annotations.NullMarked;

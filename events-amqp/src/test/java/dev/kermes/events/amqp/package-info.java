@NullMarked
package dev.kermes.events.amqp;

import org.jspecify.annotations.NullMarked;

/**
 * AMQP 0-9-1, by the client of RabbitMQ: {@link dev.kermes.events.amqp.AmqpSource} brings the
 * messages of a queue to the handlers of a reactor, {@link dev.kermes.events.amqp.AmqpSink}
 * publishes what is emitted.
 */
@NullMarked
package dev.kermes.events.amqp;

import org.jspecify.annotations.NullMarked;

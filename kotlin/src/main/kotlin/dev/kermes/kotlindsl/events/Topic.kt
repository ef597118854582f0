package dev.kermes.kotlindsl.events

import dev.kermes.events.DeadLetter
import dev.kermes.events.ParkedKey
import dev.kermes.reactor.Source
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds
import kotlin.time.toJavaDuration
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.runInterruptible
import kotlinx.coroutines.withContext

/**
 * A topic whose events this member handles, together with the other members of its group.
 *
 * @property underlying the Java API
 */
public class Topic internal constructor(public val underlying: dev.kermes.events.Topic) {

  /** The first segment of its events' keys. */
  public val name: String
    get() = underlying.name()

  /** The number of its partitions. */
  public val partitions: Int
    get() = underlying.partitions()

  /** The partitions that this member owns. */
  public val mine: List<Int>
    get() = underlying.mine()

  /** Whether the topic is read, and the last failure if not. */
  public val health: Source.Health
    get() = underlying.health()

  /** The partition of a key, which is given without the topic. */
  public fun partition(key: String): Int = underlying.partition(key)

  /** Whether this member owns the partition of a key, by its own clock. */
  public fun isMine(key: String): Boolean = underlying.isMine(key)

  /** The member that owns the partition of a key, null if there is none. */
  public suspend fun owner(key: String): String? =
    runInterruptible(Dispatchers.IO) { underlying.owner(key) }

  /** The events that the group failed to handle, of each partition the oldest first. */
  public suspend fun deadLetters(max: Int = 100): List<DeadLetter> =
    runInterruptible(Dispatchers.IO) { underlying.deadLetters().list(max) }

  /**
   * Appends the event once more, for the handlers that failed; it comes behind later events of its
   * key. Returns false if there is no such dead letter any more.
   */
  public suspend fun replay(letter: DeadLetter): Boolean =
    runInterruptible(Dispatchers.IO) { underlying.deadLetters().replay(letter) }

  /** Deletes a dead letter; returns false if there is no such one any more. */
  public suspend fun drop(letter: DeadLetter): Boolean =
    runInterruptible(Dispatchers.IO) { underlying.deadLetters().drop(letter) }

  /** The parked keys of the group, of each partition those first that are due next. */
  public suspend fun parked(max: Int = 100): List<ParkedKey> =
    runInterruptible(Dispatchers.IO) { underlying.parked(max) }

  /**
   * Stops reading, gives handlers this time, flushes acknowledgements and releases the partitions;
   * returns how many events were left.
   */
  public suspend fun close(timeout: Duration = 10.seconds): Int =
    withContext(Dispatchers.IO) { underlying.close(timeout.toJavaDuration()) }
}

package dev.kermes.scaladsl

import dev.kermes.client.{Codec, Decoder, Replies}
import dev.kermes.resp.ReplyReader
import java.util.Map.Entry
import scala.collection.immutable.VectorMap
import scala.jdk.CollectionConverters.*

/** The decoders of the commands' reply shapes, with Scala collections. Each reads its shape in RESP2 and in RESP3.
  */
object Decoders:
  /** A string in UTF-8. */
  val text: Decoder[String] = Replies.text()

  /** A 64-bit integer. */
  val integer: Decoder[Long] = in => in.readLong()

  /** A boolean: 1 and 0 in RESP2, a boolean in RESP3. */
  val bool: Decoder[Boolean] = in => in.readBoolean()

  /** A double; text in RESP2. */
  val decimal: Decoder[Double] = in => in.readDouble()

  /** Any reply as plain values: Long, Boolean, Double, BigInt, String, Vector, Set, Map; nil as None, and a nested error
    * as a ServerErrorException.
    */
  val any: Decoder[Any] = in => plain(Replies.any().decode(in))

  /** A value that is never nil. */
  def value[T](codec: Codec[T]): Decoder[T] = Replies.value(codec)

  /** The shape of `decoder`, or nil. */
  def option[T](decoder: Decoder[T]): Decoder[Option[T]] =
    in => if in.readNull() then None else Some(decoder.decode(in))

  /** An array or set of `element`. */
  def list[T](element: Decoder[T]): Decoder[Seq[T]] =
    Replies.list(element).map(_.asScala.toVector)

  /** A set or array of `element`. */
  def set[T](element: Decoder[T]): Decoder[Set[T]] =
    Replies.set(element).map(_.asScala.toSet)

  /** A map, or alternating keys and values; in the order of the reply. */
  def map[A, B](key: Decoder[A], value: Decoder[B]): Decoder[Map[A, B]] =
    Replies.map(key, value).map(ordered)

  /** An array of exactly two elements. */
  def pair[A, B](first: Decoder[A], second: Decoder[B]): Decoder[(A, B)] =
    Replies.pair(first, second).map(tuple)

  /** Members with scores: alternating in RESP2, as pairs in RESP3. */
  def scored[V](values: Codec[V]): Decoder[Seq[(V, Double)]] =
    Replies.scored(values).map(_.asScala.iterator.map(each => (each.value, each.score)).toVector)

  /** Keys with values: alternating in RESP2, as pairs in RESP3. */
  def pairs[K, V](keys: Codec[K], values: Codec[V]): Decoder[Seq[(K, V)]] =
    Replies.pairs(keys, values).map(_.asScala.iterator.map(tuple).toVector)

  /** A key, a member and its score in one flat array. */
  def popped[K, V](key: Decoder[K], member: Decoder[V]): Decoder[(K, (V, Double))] =
    Replies.popped(key, member).map(entry => (entry.getKey, (entry.getValue.value, entry.getValue.score)))

  /** Stream entries, without nil ones: before Redis 7, those stand for deleted entries. */
  def entries[K, V](keys: Codec[K], values: Codec[V]): Decoder[Seq[StreamEntry[K, V]]] =
    Replies.entries(keys, values).map(entriesOf)

  /** Streams with their entries: pairs in RESP2, a map in RESP3; empty for nil, if no stream has entries. */
  def streams[K, V](keys: Codec[K], values: Codec[V]): Decoder[Map[K, Seq[StreamEntry[K, V]]]] =
    Replies.streams(keys, values).map(streams => VectorMap.from(streams.asScala.view.mapValues(entriesOf)))

  /** A stream entry: id and a flat array of fields; without fields if it has been deleted. */
  def entry[K, V](keys: Codec[K], values: Codec[V]): Decoder[StreamEntry[K, V]] =
    Replies.entry(keys, values).map(StreamEntry.of)

  /** A cursor and elements. */
  def page[T](element: Decoder[T]): Decoder[ScanPage[T]] =
    Replies.page(element).map(page => ScanPage(page.cursor, page.elements.asScala.toVector))

  /** A cursor and a flat array of keys and values. */
  def pageOfPairs[K, V](keys: Codec[K], values: Codec[V]): Decoder[ScanPage[(K, V)]] =
    Replies
      .pageOfPairs(keys, values)
      .map(page => ScanPage(page.cursor, page.elements.asScala.iterator.map(tuple).toVector))

  /** A cursor and a flat array of members and scores. */
  def pageOfScored[V](values: Codec[V]): Decoder[ScanPage[(V, Double)]] =
    Replies
      .pageOfScored(values)
      .map(page => ScanPage(page.cursor, page.elements.asScala.iterator.map(each => (each.value, each.score)).toVector))

  extension [A](decoder: Decoder[A])
    /** The decoder of the same reply whose result `f` converts. */
    private def map[B](f: A => B): Decoder[B] = (in: ReplyReader) => f(decoder.decode(in))

  private def entriesOf[K, V](
      entries: java.util.List[dev.kermes.client.reply.StreamEntry[K, V]]
  ): Seq[StreamEntry[K, V]] =
    entries.asScala.iterator.map(StreamEntry.of).toVector

  private[scaladsl] def tuple[A, B](entry: Entry[A, B]): (A, B) = (entry.getKey, entry.getValue)

  private[scaladsl] def ordered[A, B](map: java.util.Map[A, B]): Map[A, B] = VectorMap.from(map.asScala)

  private def plain(reply: Any): Any = reply match
    case null                         => None
    case number: java.math.BigInteger => BigInt(number)
    case list: java.util.List[?]      => list.asScala.iterator.map(plain).toVector
    case set: java.util.Set[?]        => set.asScala.iterator.map(plain).toSet
    case map: java.util.Map[?, ?]     => map.asScala.iterator.map((k, v) => (plain(k), plain(v))).to(VectorMap)
    case other                        => other

package dev.kermes.scaladsl

import dev.kermes.client.Codec

/** Says how keys or values of a type become bytes and back.
  *
  * @param underlying the codec of Java that does it
  */
final class RedisCodec[T](val underlying: Codec[T]):
  /** The same bytes as values of another type. */
  def imap[A](to: T => A)(from: A => T): RedisCodec[A] =
    RedisCodec(
      new Codec[A]:
        def encode(value: A): Array[Byte] = underlying.encode(from(value))
        def decode(bytes: Array[Byte], offset: Int, length: Int): A =
          to(underlying.decode(bytes, offset, length))
    )

object RedisCodec:
  /** The codec of a type. */
  def of[T](using codec: RedisCodec[T]): RedisCodec[T] = codec

  /** Strings as UTF-8. */
  given RedisCodec[String] = RedisCodec(Codec.utf8())

  /** Bytes as they are. */
  given RedisCodec[Array[Byte]] = RedisCodec(Codec.bytes())

  /** Numbers in decimal, as Redis counts with them. */
  given RedisCodec[Int] = of[String].imap(_.toInt)(_.toString)
  given RedisCodec[Long] = of[String].imap(_.toLong)(_.toString)
  given RedisCodec[Double] = of[String].imap(_.toDouble)(_.toString)
  given RedisCodec[BigDecimal] = of[String].imap(BigDecimal(_))(_.toString)

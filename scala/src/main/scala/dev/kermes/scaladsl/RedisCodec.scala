package dev.kermes.scaladsl

import dev.kermes.client.Codec

/** Converts keys or values of a type to bytes and back.
  *
  * @param underlying the Java codec
  */
final class RedisCodec[T](val underlying: Codec[T]):
  /** A codec of another type with the same bytes. */
  def imap[A](to: T => A)(from: A => T): RedisCodec[A] =
    RedisCodec(
      new Codec[A]:
        def encode(value: A): Array[Byte] = underlying.encode(from(value))
        def decode(bytes: Array[Byte], offset: Int, length: Int): A =
          to(underlying.decode(bytes, offset, length))
    )

/** The codecs of common types. */
object RedisCodec:
  /** The codec of a type. */
  def of[T](using codec: RedisCodec[T]): RedisCodec[T] = codec

  /** The codec of strings in UTF-8. */
  given RedisCodec[String] = RedisCodec(Codec.utf8())

  /** The codec of byte arrays, which it leaves unchanged. */
  given RedisCodec[Array[Byte]] = RedisCodec(Codec.bytes())

  /** The codec of 32-bit integers: decimal text, the format of INCR. Other text fails to decode. */
  given RedisCodec[Int] = of[String].imap(_.toInt)(_.toString)

  /** The codec of 64-bit integers: decimal text, the format of INCR. Other text fails to decode. */
  given RedisCodec[Long] = of[String].imap(_.toLong)(_.toString)

  /** The codec of doubles: decimal text, the format of INCRBYFLOAT. Other text fails to decode. */
  given RedisCodec[Double] = of[String].imap(_.toDouble)(_.toString)

  /** The codec of decimal numbers of any precision, as decimal text. Other text fails to decode. */
  given RedisCodec[BigDecimal] = of[String].imap(BigDecimal(_))(_.toString)

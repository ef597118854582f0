package dev.kermes.scaladsl

/** One entry of a stream.
  *
  * @param id milliseconds-sequence
  * @param fields in the order in which they were added
  */
final case class StreamEntry[K, V](id: String, fields: Map[K, V])

private[scaladsl] object StreamEntry:
  def of[K, V](entry: dev.kermes.client.StreamEntry[K, V]): StreamEntry[K, V] =
    StreamEntry(entry.id, Decoders.ordered(entry.fields))

/** One step of a SCAN.
  *
  * @param cursor where the next step starts; `"0"` when this was the last one
  * @param elements what this step found, possibly nothing
  */
final case class ScanPage[T](cursor: String, elements: Seq[T]):
  /** Whether the scan has gone round. */
  def isLast: Boolean = cursor == "0"

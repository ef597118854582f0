package dev.kermes.scaladsl

/** An entry of a stream.
  *
  * @param id milliseconds-sequence
  * @param fields the fields in the order in which they were added
  */
final case class StreamEntry[K, V](id: String, fields: Map[K, V])

private[scaladsl] object StreamEntry:
  def of[K, V](entry: dev.kermes.client.reply.StreamEntry[K, V]): StreamEntry[K, V] =
    StreamEntry(entry.id, Decoders.ordered(entry.fields))

/** One page of a SCAN.
  *
  * @param cursor the cursor of the next page; `"0"` if this is the last one
  * @param elements the elements of this page, possibly none
  */
final case class ScanPage[T](cursor: String, elements: Seq[T]):
  /** Whether the scan is complete. */
  def isLast: Boolean = cursor == "0"

package dev.kermes.scaladsl

import dev.kermes.client.reply.ScoredValue
import scala.jdk.CollectionConverters.*

/** Converts arguments to the types of the Java client. */
private[scaladsl] object Arguments:
  def scored[V](members: Seq[(V, Double)]): java.util.List[ScoredValue[V]] =
    members.map((member, score) => ScoredValue(member, score)).asJava

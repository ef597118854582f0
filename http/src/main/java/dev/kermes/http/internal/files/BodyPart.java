package dev.kermes.http.internal.files;

import java.util.List;

/** A part of the body of a response that is made from a file. */
public sealed interface BodyPart {

  /** Text between ranges, with the header fields of the next one. */
  record Text(byte[] bytes) implements BodyPart {}

  /** A range of the file. */
  record Slice(Ranges.Range range) implements BodyPart {}

  /** The parts of a body that is one range. */
  static List<BodyPart> of(Ranges.Range range) {
    return List.of(new Slice(range));
  }
}

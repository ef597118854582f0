package dev.kermes.server.data;

import java.util.Arrays;

/** The members between two bounds by their bytes, for sets whose scores are all the same. */
public record LexRange(Bound min, Bound max) {

  /** The kind of a bound: before everything, at some bytes, or after everything. */
  public enum Kind {
    MINUS,
    INCLUSIVE,
    EXCLUSIVE,
    PLUS
  }

  /** One end of a range; the bytes matter only for INCLUSIVE and EXCLUSIVE. */
  public record Bound(Kind kind, byte[] bytes) {

    private int compare(byte[] array, int offset, int length) {
      return Arrays.compareUnsigned(array, offset, offset + length, bytes, 0, bytes.length);
    }
  }

  /** The boundary below the range. */
  public SkipList.Boundary below() {
    return (score, array, offset, length) ->
        switch (min.kind) {
          case MINUS -> false;
          case INCLUSIVE -> min.compare(array, offset, length) < 0;
          case EXCLUSIVE -> min.compare(array, offset, length) <= 0;
          case PLUS -> true;
        };
  }

  /** The boundary above the range. */
  public SkipList.Boundary upTo() {
    return (score, array, offset, length) ->
        switch (max.kind) {
          case MINUS -> false;
          case INCLUSIVE -> max.compare(array, offset, length) <= 0;
          case EXCLUSIVE -> max.compare(array, offset, length) < 0;
          case PLUS -> true;
        };
  }
}

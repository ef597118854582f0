package dev.kermes.server.data;

import java.util.Arrays;

/** Members between two bounds by their bytes, for sets whose scores are all the same. */
public record LexRange(Bound min, Bound max) {

  /** Where a bound lies: before everything, at some bytes, after everything. */
  public enum Kind {
    MINUS,
    INCLUSIVE,
    EXCLUSIVE,
    PLUS
  }

  /** One end of a range; the bytes count for INCLUSIVE and EXCLUSIVE only. */
  public record Bound(Kind kind, byte[] bytes) {

    private int compare(byte[] array, int offset, int length) {
      return Arrays.compareUnsigned(array, offset, offset + length, bytes, 0, bytes.length);
    }
  }

  /** Everything below the range. */
  public SkipList.Boundary below() {
    return (score, array, offset, length) ->
        switch (min.kind) {
          case MINUS -> false;
          case INCLUSIVE -> min.compare(array, offset, length) < 0;
          case EXCLUSIVE -> min.compare(array, offset, length) <= 0;
          case PLUS -> true;
        };
  }

  /** Everything below the range and in it. */
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

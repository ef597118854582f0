package dev.kermes.testkit;

import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;

/**
 * The pace of a slow or cut network: pieces of a limited length, and a pause after each. Immutable.
 */
record Pace(int pieceBytes, Duration pause) {

  /** As fast as the machine is. */
  static final Pace FULL = new Pace(Integer.MAX_VALUE, Duration.ZERO);

  /** 50: pauses of 20 ms, which are long enough to be exact. */
  private static final int PIECES_A_SECOND = 50;

  /** Pieces of at most {@code bytes}, with a pause after each. */
  static Pace pieces(int bytes, Duration pause) {
    if (bytes < 1) throw new IllegalArgumentException("a piece has bytes: bytes=" + bytes);
    Matches.requirePositive("pause", pause);
    return new Pace(bytes, pause);
  }

  /** A limit of the bytes a second. */
  static Pace bytesPerSecond(long rate) {
    if (rate < 1) throw new IllegalArgumentException("a rate is positive: bytes=" + rate);
    int piece = Math.clamp(rate / PIECES_A_SECOND, 1, Integer.MAX_VALUE);
    return new Pace(piece, Duration.ofNanos((long) (1e9 * piece / rate)));
  }

  void write(OutputStream out, byte[] bytes, int offset, int length)
      throws IOException, InterruptedException {
    for (int done = 0; done < length; ) {
      int count = Math.min(pieceBytes, length - done);
      out.write(bytes, offset + done, count);
      done += count;
      if (!pause.isZero()) Thread.sleep(pause);
    }
  }
}

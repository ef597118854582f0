package dev.kermes.client.internal.command;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Bytes [from, to) of an array as a key of a map: a request, or a Redis key. */
public final class RequestKey {
  private final byte[] bytes;
  private final int from;
  private final int to;
  private final int hash;

  private RequestKey(byte[] bytes, int from, int to) {
    this.bytes = bytes;
    this.from = from;
    this.to = to;
    int hash = 1;
    for (int i = from; i < to; i++) hash = 31 * hash + bytes[i];
    this.hash = hash;
  }

  /** The request of {@code command}, in place. */
  public static RequestKey of(EncodedCommand<?> command) {
    int from = command.from();
    return new RequestKey(command.request(), from, from + command.length());
  }

  /** All of {@code bytes}. */
  public static RequestKey of(byte[] bytes) {
    return new RequestKey(bytes, 0, bytes.length);
  }

  /** One of the arguments of a request, copied. */
  public static RequestKey of(RequestArguments arguments, int index) {
    int offset = arguments.offset(index);
    byte[] array = arguments.array(index);
    return of(Arrays.copyOfRange(array, offset, offset + arguments.length(index)));
  }

  /** A copy that does not keep the rest of the array alive. */
  public RequestKey compact() {
    return of(Arrays.copyOfRange(bytes, from, to));
  }

  public int length() {
    return to - from;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof RequestKey key
        && hash == key.hash
        && Arrays.equals(bytes, from, to, key.bytes, key.from, key.to);
  }

  @Override
  public int hashCode() {
    return hash;
  }
}

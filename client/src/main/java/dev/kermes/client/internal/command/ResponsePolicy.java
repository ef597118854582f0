package dev.kermes.client.internal.command;

import dev.kermes.client.RedisException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The rule for joining the results of one command at several servers: the response policies of the
 * command table.
 */
public enum ResponsePolicy {
  /** Concatenates collections; of other results takes the first. */
  DEFAULT,
  /** The first result, if all succeeded. */
  ALL_SUCCEEDED,
  /** The first successful result. */
  ONE_SUCCEEDED,
  AGG_SUM,
  AGG_MIN,
  AGG_LOGICAL_AND;

  /** The policy of the route's row of the command table. */
  public static ResponsePolicy of(Route route) {
    for (ResponsePolicy policy : values()) {
      if (route.hasTip("response_policy:" + policy.name().toLowerCase(Locale.ROOT))) {
        return policy;
      }
    }
    return DEFAULT;
  }

  /**
   * Joins {@code results}, of which there is at least one, into one result.
   *
   * @throws RedisException the failure among them, if all must succeed
   */
  public @Nullable Object join(List<@Nullable Object> results) {
    if (this == ONE_SUCCEEDED) return firstSuccess(results);
    for (Object result : results) {
      if (result instanceof RedisException failure) throw failure;
    }
    return switch (this) {
      case AGG_SUM -> sum(results);
      case AGG_MIN -> min(results);
      case AGG_LOGICAL_AND -> and(results);
      case DEFAULT -> concatenation(results);
      case ALL_SUCCEEDED, ONE_SUCCEEDED -> results.getFirst();
    };
  }

  private static @Nullable Object firstSuccess(List<@Nullable Object> results) {
    RedisException failure = null;
    for (Object result : results) {
      if (!(result instanceof RedisException failed)) return result;
      failure = failed;
    }
    if (failure == null) throw new IllegalArgumentException("no results");
    throw failure;
  }

  private static Object sum(List<@Nullable Object> results) {
    long sum = 0;
    for (Object result : results) sum += ((Number) present(result)).longValue();
    return sum;
  }

  private static Object min(List<@Nullable Object> results) {
    long min = Long.MAX_VALUE;
    for (Object result : results) min = Math.min(min, ((Number) present(result)).longValue());
    return min;
  }

  /** Combines lists of flags element by element. */
  private static Object and(List<@Nullable Object> results) {
    List<@Nullable Object> all = new ArrayList<>((List<?>) present(results.getFirst()));
    for (Object result : results) {
      List<?> flags = (List<?>) present(result);
      for (int i = 0; i < all.size(); i++) {
        if (isFalse(flags.get(i))) all.set(i, flags.get(i));
      }
    }
    return all;
  }

  private static boolean isFalse(@Nullable Object flag) {
    return Boolean.FALSE.equals(flag) || Long.valueOf(0).equals(flag);
  }

  private static @Nullable Object concatenation(List<@Nullable Object> results) {
    if (!(results.getFirst() instanceof List)) return results.getFirst();
    List<@Nullable Object> all = new ArrayList<>();
    for (Object result : results) all.addAll((Collection<?>) present(result));
    return all;
  }

  private static Object present(@Nullable Object result) {
    if (result == null) throw new IllegalStateException("nil among the results");
    return result;
  }
}

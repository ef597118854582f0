package dev.kermes.groovydsl;

import dev.kermes.client.reply.GeoMember;
import dev.kermes.client.reply.ScoredValue;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Converts Groovy arguments to the types of the client. All text passes through here, so that a
 * GString never reaches the client.
 */
final class Arguments {
  private Arguments() {}

  /** A key or a value, which {@link ObjectCodec} encodes. */
  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // the codec takes any object
  static <T> T any(Object argument) {
    return (T) argument;
  }

  /** Keys or values, which {@link ObjectCodec} encodes. */
  @SuppressWarnings("unchecked")
  static <T> List<T> list(Collection<?> arguments) {
    return (List<T>) new ArrayList<>(arguments);
  }

  /** Fields and values, which {@link ObjectCodec} encodes. */
  @SuppressWarnings("unchecked")
  static <A, B> Map<A, B> map(Map<?, ?> arguments) {
    return (Map<A, B>) arguments;
  }

  static String text(Object argument) {
    return argument.toString();
  }

  static List<String> texts(Collection<?> arguments) {
    return arguments.stream().map(Arguments::text).toList();
  }

  /** The texts of one argument, or of a collection of them. */
  static List<String> names(Object oneOrMore) {
    return texts(oneOrMore instanceof Collection<?> all ? all : List.of(oneOrMore));
  }

  static Map<String, String> texts(Map<?, ?> arguments) {
    Map<String, String> texts = new LinkedHashMap<>();
    arguments.forEach((key, value) -> texts.put(text(key), text(value)));
    return texts;
  }

  static <T> Map<T, String> textsByKey(Map<?, ?> arguments) {
    Map<T, String> texts = new LinkedHashMap<>();
    arguments.forEach((key, value) -> texts.put(any(key), text(value)));
    return texts;
  }

  static Long number(Object argument) {
    return argument instanceof Number number ? number.longValue() : Long.valueOf(text(argument));
  }

  static List<Long> numbers(Collection<?> arguments) {
    return arguments.stream().map(Arguments::number).toList();
  }

  static Map<Long, Long> numbers(Map<?, ?> arguments) {
    Map<Long, Long> numbers = new LinkedHashMap<>();
    arguments.forEach((key, value) -> numbers.put(number(key), number(value)));
    return numbers;
  }

  static <T> Map<Long, T> byNumber(Map<?, ?> arguments) {
    Map<Long, T> byNumber = new LinkedHashMap<>();
    arguments.forEach((key, value) -> byNumber.put(number(key), any(value)));
    return byNumber;
  }

  /** Converts a map from members to scores. */
  static <T> List<ScoredValue<T>> scored(Map<?, ?> scores) {
    List<ScoredValue<T>> scored = new ArrayList<>();
    scores.forEach((member, score) -> scored.add(new ScoredValue<>(any(member), decimal(score))));
    return scored;
  }

  /** Members with their places, each a longitude and a latitude. */
  static <T> List<GeoMember<T>> placed(Map<?, ?> places) {
    List<GeoMember<T>> placed = new ArrayList<>();
    places.forEach((member, place) -> placed.add(placed(any(member), (List<?>) place)));
    return placed;
  }

  private static <T> GeoMember<T> placed(T member, List<?> place) {
    return new GeoMember<>(member, decimal(place.get(0)), decimal(place.get(1)));
  }

  static double decimal(Object argument) {
    return argument instanceof Number number
        ? number.doubleValue()
        : Double.parseDouble(text(argument));
  }

  /** Converts to an enum constant; accepts the constant itself, or its name in either case. */
  static <E extends Enum<E>> E choice(Class<E> type, Object argument) {
    return type.isInstance(argument)
        ? type.cast(argument)
        : Enum.valueOf(type, text(argument).toUpperCase(Locale.ROOT));
  }
}

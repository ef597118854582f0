package dev.kermes.commands.generate;

import dev.kermes.commands.ReplyShape;
import java.util.StringJoiner;
import java.util.function.Function;

/** The client's types for reply shapes: a Java type, and the decoder that produces it. */
final class ReplyTypes {
  private ReplyTypes() {}

  static String type(ReplyShape shape) {
    String type = present(shape);
    if (shape.kind() == ReplyShape.Kind.BYTES && shape.nullable()) return "byte @Nullable []";
    boolean nullable = shape.nullable() || shape.kind() == ReplyShape.Kind.ANY;
    return nullable ? "@Nullable " + type : type;
  }

  private static String present(ReplyShape shape) {
    return switch (shape.kind()) {
      case OK, SIMPLE, TEXT -> "String";
      case INTEGER -> "Long";
      case BOOLEAN -> "Boolean";
      case DOUBLE -> "Double";
      case BULK -> "V";
      case KEY -> "K";
      case BYTES -> "byte[]";
      case ANY -> "Object";
      case LIST -> "List<" + type(element(shape, 0)) + ">";
      case SET -> "Set<" + type(element(shape, 0)) + ">";
      case MAP -> "Map<" + type(element(shape, 0)) + ", " + type(element(shape, 1)) + ">";
      case PAIR -> "Entry<" + type(element(shape, 0)) + ", " + type(element(shape, 1)) + ">";
      case SCORED -> "List<ScoredValue<V>>";
      case PAIRS -> "List<Entry<K, V>>";
      case ENTRY -> "StreamEntry<K, V>";
      case ENTRIES -> "List<StreamEntry<K, V>>";
      case STREAMS -> "Map<K, List<StreamEntry<K, V>>>";
      case POPPED -> "Entry<K, ScoredValue<V>>";
      case SCAN -> "ScanPage<" + scanned(element(shape, 0)) + ">";
      case RECORD -> shape.name() + joined(shape, "<", ReplyTypes::type, ">");
    };
  }

  private static String scanned(ReplyShape element) {
    return switch (element.kind()) {
      case PAIRS -> "Entry<K, V>";
      case SCORED -> "ScoredValue<V>";
      default -> type(element);
    };
  }

  static String decoder(ReplyShape shape) {
    if (!shape.nullable()) {
      return presentDecoder(shape);
    }
    return switch (shape.kind()) {
      case BULK -> "Replies.bulk(valueCodec)";
      case KEY -> "Replies.bulk(keyCodec)";
      case BYTES -> "Replies.bulk(Codec.bytes())";
      default -> "Replies.optional(" + presentDecoder(shape) + ")";
    };
  }

  private static String presentDecoder(ReplyShape shape) {
    return switch (shape.kind()) {
      case OK -> "Replies.ok()";
      case SIMPLE -> "Replies.simple()";
      case TEXT -> "Replies.text()";
      case INTEGER -> "Replies.integer()";
      case BOOLEAN -> "Replies.bool()";
      case DOUBLE -> "Replies.decimal()";
      case BULK -> "Replies.value(valueCodec)";
      case KEY -> "Replies.value(keyCodec)";
      case BYTES -> "Replies.value(Codec.bytes())";
      case ANY -> "Replies.any()";
      case LIST -> "Replies.list(" + decoder(element(shape, 0)) + ")";
      case SET -> "Replies.set(" + decoder(element(shape, 0)) + ")";
      case MAP -> "Replies.map(" + both(shape) + ")";
      case PAIR -> "Replies.pair(" + both(shape) + ")";
      case SCORED -> "Replies.scored(valueCodec)";
      case PAIRS -> "Replies.pairs(keyCodec, valueCodec)";
      case ENTRY -> "Replies.entry(keyCodec, valueCodec)";
      case ENTRIES -> "Replies.entries(keyCodec, valueCodec)";
      case STREAMS -> "Replies.streams(keyCodec, valueCodec)";
      case POPPED -> "Replies.popped(Replies.value(keyCodec), Replies.value(valueCodec))";
      case SCAN -> page(element(shape, 0));
      case RECORD -> recordDecoder(shape, ReplyTypes::decoder);
    };
  }

  private static String page(ReplyShape element) {
    return switch (element.kind()) {
      case PAIRS -> "Replies.pageOfPairs(keyCodec, valueCodec)";
      case SCORED -> "Replies.pageOfScored(valueCodec)";
      default -> "Replies.page(" + decoder(element) + ")";
    };
  }

  /** {@code Records.geoMatch(Replies.value(valueCodec))} for GeoMatch&lt;bulk&gt;. */
  static String recordDecoder(ReplyShape shape, Function<ReplyShape, String> decoder) {
    String parameters = shape.elements().isEmpty() ? "()" : joined(shape, "(", decoder, ")");
    return "Records." + JavaNames.camel(shape.name()) + parameters;
  }

  /** The function argument for the elements of a reply; empty without elements. */
  static String joined(
      ReplyShape shape, String open, Function<ReplyShape, String> each, String close) {
    StringJoiner list = new StringJoiner(", ", open, close).setEmptyValue("");
    shape.elements().forEach(element -> list.add(each.apply(element)));
    return list.toString();
  }

  private static String both(ReplyShape shape) {
    return decoder(element(shape, 0)) + ", " + decoder(element(shape, 1));
  }

  private static ReplyShape element(ReplyShape shape, int index) {
    return shape.elements().get(index);
  }
}

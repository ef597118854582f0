package dev.kermes.commands.generate;

import dev.kermes.commands.ReplyShape;

/** Scala's types for reply shapes: a type, and the decoder that produces it. */
final class ScalaReplies {
  private ScalaReplies() {}

  static String type(ReplyShape shape) {
    return shape.nullable() ? "Option[" + present(shape) + "]" : present(shape);
  }

  private static String present(ReplyShape shape) {
    return switch (shape.kind()) {
      case OK, SIMPLE, TEXT -> "String";
      case INTEGER -> "Long";
      case BOOLEAN -> "Boolean";
      case DOUBLE -> "Double";
      case BULK -> "V";
      case KEY -> "K";
      case BYTES -> "Array[Byte]";
      case ANY -> "Any";
      case LIST -> "Seq[" + type(element(shape, 0)) + "]";
      case SET -> "Set[" + type(element(shape, 0)) + "]";
      case MAP -> "Map[" + both(shape) + "]";
      case PAIR -> "(" + both(shape) + ")";
      case SCORED -> "Seq[(V, Double)]";
      case PAIRS -> "Seq[(K, V)]";
      case ENTRY -> "StreamEntry[K, V]";
      case ENTRIES -> "Seq[StreamEntry[K, V]]";
      case STREAMS -> "Map[K, Seq[StreamEntry[K, V]]]";
      case POPPED -> "(K, (V, Double))";
      case SCAN -> "ScanPage[" + scanned(element(shape, 0)) + "]";
      case RECORD -> shape.name() + ReplyTypes.joined(shape, "[", ScalaReplies::type, "]");
    };
  }

  private static String scanned(ReplyShape element) {
    return switch (element.kind()) {
      case PAIRS -> "(K, V)";
      case SCORED -> "(V, Double)";
      default -> type(element);
    };
  }

  private static String both(ReplyShape shape) {
    return type(element(shape, 0)) + ", " + type(element(shape, 1));
  }

  static String decoder(ReplyShape shape) {
    String decoder = presentDecoder(shape);
    return shape.nullable() ? "Decoders.option(" + decoder + ")" : decoder;
  }

  private static String presentDecoder(ReplyShape shape) {
    return switch (shape.kind()) {
      case OK, SIMPLE, TEXT -> "Decoders.text";
      case INTEGER -> "Decoders.integer";
      case BOOLEAN -> "Decoders.bool";
      case DOUBLE -> "Decoders.decimal";
      case BULK -> "aValue";
      case KEY -> "aKey";
      case BYTES -> "Decoders.value(Codec.bytes)";
      case ANY -> "Decoders.any";
      case LIST -> "Decoders.list(" + decoder(element(shape, 0)) + ")";
      case SET -> "Decoders.set(" + decoder(element(shape, 0)) + ")";
      case MAP -> "Decoders.map(" + bothDecoders(shape) + ")";
      case PAIR -> "Decoders.pair(" + bothDecoders(shape) + ")";
      case SCORED -> "Decoders.scored(values)";
      case PAIRS -> "Decoders.pairs(keys, values)";
      case ENTRY -> "Decoders.entry(keys, values)";
      case ENTRIES -> "Decoders.entries(keys, values)";
      case STREAMS -> "Decoders.streams(keys, values)";
      case POPPED -> "Decoders.popped(aKey, aValue)";
      case SCAN -> page(element(shape, 0));
      case RECORD -> ReplyTypes.recordDecoder(shape, ScalaReplies::decoder);
    };
  }

  private static String page(ReplyShape element) {
    return switch (element.kind()) {
      case PAIRS -> "Decoders.pageOfPairs(keys, values)";
      case SCORED -> "Decoders.pageOfScored(values)";
      default -> "Decoders.page(" + decoder(element) + ")";
    };
  }

  private static String bothDecoders(ReplyShape shape) {
    return decoder(element(shape, 0)) + ", " + decoder(element(shape, 1));
  }

  private static ReplyShape element(ReplyShape shape, int index) {
    return shape.elements().get(index);
  }
}

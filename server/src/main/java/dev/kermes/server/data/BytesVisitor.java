package dev.kermes.server.data;

/** Receives elements one after the other as slices that are valid during the call only. */
@FunctionalInterface
public interface BytesVisitor {

  void visit(byte[] array, int offset, int length);
}

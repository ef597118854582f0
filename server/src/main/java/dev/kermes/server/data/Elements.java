package dev.kermes.server.data;

import java.util.Arrays;

/** Elements to build a value from: slices of arrays that must not change until then. */
public final class Elements implements BytesVisitor {

  private byte[][] arrays = {};
  private int[] offsets = {};
  private int[] lengths = {};
  private int count;

  @Override
  public void visit(byte[] array, int offset, int length) {
    if (count == arrays.length) resize(Math.max(16, 2 * count));
    arrays[count] = array;
    offsets[count] = offset;
    lengths[count++] = length;
  }

  /** Makes room for that many elements. */
  public void expect(int elements) {
    if (elements > arrays.length) resize(elements);
  }

  private void resize(int size) {
    arrays = Arrays.copyOf(arrays, size);
    offsets = Arrays.copyOf(offsets, size);
    lengths = Arrays.copyOf(lengths, size);
  }

  public void add(byte[] element) {
    visit(element, 0, element.length);
  }

  public void clear() {
    count = 0;
  }

  public int count() {
    return count;
  }

  public byte[] array(int index) {
    return arrays[index];
  }

  public int offset(int index) {
    return offsets[index];
  }

  public int length(int index) {
    return lengths[index];
  }

  void visitAll(BytesVisitor visitor) {
    for (int i = 0; i < count; i++) visitor.visit(arrays[i], offsets[i], lengths[i]);
  }

  /** A copy of an element. */
  public byte[] get(int index) {
    return Arrays.copyOfRange(arrays[index], offsets[index], offsets[index] + lengths[index]);
  }
}

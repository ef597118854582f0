package dev.kermes.server.data;

/** Several slices of one array: the arguments of a command. Valid as long as the array is. */
public record Slices(byte[] array, int[] offsets, int[] lengths) {

  public int count() {
    return offsets.length;
  }

  /** The total number of bytes. */
  public long totalLength() {
    long total = 0;
    for (int length : lengths) total += length;
    return total;
  }

  public void appendTo(ListPack pack, int index) {
    pack.append(array, offsets[index], lengths[index]);
  }
}

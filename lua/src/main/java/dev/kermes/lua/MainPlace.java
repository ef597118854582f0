package dev.kermes.lua;

/**
 * The node of a table at which the search for a key begins; the number of nodes is a power of two.
 */
final class MainPlace {

  private MainPlace() {}

  static int of(double key, int nodes) {
    if (key == 0) return 0;
    long bits = Double.doubleToRawLongBits(key);
    return remainder((int) bits + (int) (bits >>> 32), nodes);
  }

  /** For number keys pass {@link LuaValues#NUMBER} and the number. */
  static int of(Object key, double number, int nodes) {
    if (key == LuaValues.NUMBER) return of(number, nodes);
    if (key instanceof LuaString string) return string.hashCode() & (nodes - 1);
    if (key instanceof Boolean bool) return bool ? 1 & (nodes - 1) : 0;
    return remainder(System.identityHashCode(key), nodes);
  }

  private static int remainder(int hash, int nodes) {
    return Integer.remainderUnsigned(hash, (nodes - 1) | 1);
  }
}

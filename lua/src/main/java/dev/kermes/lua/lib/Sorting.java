package dev.kermes.lua.lib;

import dev.kermes.lua.LuaCall;
import dev.kermes.lua.LuaFunction;
import dev.kermes.lua.LuaString;
import dev.kermes.lua.LuaTable;
import dev.kermes.lua.NativeCode;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * {@code table.sort}. Only numbers or only strings are sorted in Java. A sort that calls back is
 * executed in Lua, so that it can be suspended, by the same quicksort as in the reference
 * implementation: elements that compare equal end up in the same order.
 */
final class Sorting {

  private static final String QUICKSORT =
      """
      local t, n, fail, less = ...
      local sort
      sort = function(low, high)
        while low < high do
          local a, b = t[low], t[high]
          if LESS(b, a) then t[low], t[high] = b, a end
          if high - low == 1 then return end
          local middle = (low + high) / 2
          middle = middle - middle % 1
          a, b = t[middle], t[low]
          if LESS(a, b) then
            t[middle], t[low] = b, a
          else
            b = t[high]
            if LESS(b, a) then t[middle], t[high] = b, a end
          end
          if high - low == 2 then return end
          local pivot = t[middle]
          t[middle], t[high - 1] = t[high - 1], pivot
          local i, j = low, high - 1
          while true do
            i = i + 1
            local x = t[i]
            while LESS(x, pivot) do
              if i > high then fail() end
              i = i + 1
              x = t[i]
            end
            j = j - 1
            local y = t[j]
            while LESS(pivot, y) do
              if j < low then fail() end
              j = j - 1
              y = t[j]
            end
            if j < i then break end
            t[i], t[j] = y, x
          end
          t[high - 1], t[i] = t[i], t[high - 1]
          if i - low < high - i then
            sort(low, i - 1)
            low = i + 1
          else
            sort(i + 1, high)
            high = i - 1
          end
        end
      end
      sort(1, n)
      """;

  private static final NativeCode BY_FUNCTION = NativeCode.of(QUICKSORT.replace("LESS", "less"));
  private static final NativeCode BY_ORDER =
      NativeCode.of(QUICKSORT.replaceAll("LESS\\((\\w+), (\\w+)\\)", "$1 < $2"));

  private static final LuaFunction FAIL = Sorting::fail;

  private Sorting() {}

  static void sort(LuaCall call) {
    LuaTable table = call.table(1);
    int count = table.length();
    boolean hasFunction = !call.isNil(2);
    if (hasFunction) {
      Object unused = call.function(2);
    } else if (sortAlike(call, table, count)) {
      return;
    }
    call.push(call.state().closure(hasFunction ? BY_FUNCTION : BY_ORDER));
    call.push(table);
    call.push((double) count);
    call.push(FAIL);
    call.pushArgument(2);
    call.tailCall();
  }

  private static void fail(LuaCall call) {
    throw call.errorOfCaller("invalid order function for sorting");
  }

  private static boolean sortAlike(LuaCall call, LuaTable table, int count) {
    if (count < 2) return true;
    call.spend(count);
    @Nullable Object first = table.get(1);
    if (first instanceof LuaString) return sortStrings(table, count);
    return first instanceof Double && sortNumbers(table, count);
  }

  private static boolean sortStrings(LuaTable table, int count) {
    LuaString[] items = new LuaString[count];
    for (int i = 0; i < count; i++) {
      if (!(table.get(i + 1) instanceof LuaString string)) return false;
      items[i] = string;
    }
    Arrays.sort(items);
    for (int i = 0; i < count; i++) table.put(i + 1, items[i]);
    return true;
  }

  /** Not with NaN or -0, which Java orders differently. */
  private static boolean sortNumbers(LuaTable table, int count) {
    double[] items = new double[count];
    for (int i = 0; i < count; i++) {
      if (!(table.get(i + 1) instanceof Double number)) return false;
      if (number.isNaN() || number.equals(-0.0)) return false;
      items[i] = number;
    }
    Arrays.sort(items);
    for (int i = 0; i < count; i++) table.put(i + 1, Double.valueOf(items[i]));
    return true;
  }
}

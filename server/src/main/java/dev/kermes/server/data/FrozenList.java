package dev.kermes.server.data;

import dev.kermes.resp.RespWriter;
import java.util.List;

/**
 * Consecutive elements of a list as they were. Shares the list's memory until the list changes it.
 */
public final class FrozenList implements Frozen {

  private final List<ListPack> packs;
  private int pack;
  private int at;
  private long count;

  FrozenList(List<ListPack> packs, int at, long count) {
    this.packs = packs;
    this.at = at;
    this.count = count;
  }

  @Override
  public boolean write(RespWriter out, int size) {
    long until = out.length() + size;
    while (count > 0 && out.length() < until) {
      packs.get(pack).write(at, out);
      count--;
      at = packs.get(pack).next(at);
      if (at == ListPack.NONE && count > 0) at = packs.get(++pack).first();
    }
    return count > 0;
  }
}

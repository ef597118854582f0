package dev.kermes.groovydsl;

import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** Iterates over the elements of pages up to an empty one; blocks for the next page. */
final class PageIterator<T> implements Iterator<T> {
  private final Supplier<CompletionStage<List<T>>> nextPage;
  private Iterator<T> page = List.<T>of().iterator();
  private boolean isAtEnd;

  PageIterator(Supplier<CompletionStage<List<T>>> nextPage) {
    this.nextPage = nextPage;
  }

  @Override
  public boolean hasNext() {
    if (!page.hasNext() && !isAtEnd) {
      page = Await.result(nextPage.get()).iterator();
      isAtEnd = !page.hasNext();
    }
    return !isAtEnd;
  }

  @Override
  public T next() {
    if (!hasNext()) throw new NoSuchElementException();
    return page.next();
  }
}

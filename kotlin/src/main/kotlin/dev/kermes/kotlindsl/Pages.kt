package dev.kermes.kotlindsl

import java.util.concurrent.CompletionStage
import kotlinx.coroutines.flow.FlowCollector

/** Emits the elements of pages up to an empty one; requests the next page when one is used up. */
internal suspend fun <T> FlowCollector<T>.emitPages(nextPage: () -> CompletionStage<out List<T>>) {
  while (true) {
    val page = nextPage().awaitOrCancel()
    if (page.isEmpty()) return
    for (element in page) emit(element)
  }
}

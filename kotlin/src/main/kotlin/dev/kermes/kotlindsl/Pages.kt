package dev.kermes.kotlindsl

import java.util.concurrent.CompletionStage
import kotlinx.coroutines.flow.FlowCollector

/** Emits what comes in pages, an empty one being the end; asks for the next when one is used up. */
internal suspend fun <T> FlowCollector<T>.emitPages(nextPage: () -> CompletionStage<out List<T>>) {
  while (true) {
    val page = nextPage().awaitOrCancel()
    if (page.isEmpty()) return
    for (element in page) emit(element)
  }
}

(ns ^:no-doc kermes.redis.pages
  "What comes in pages, as a channel or as something to reduce and fold. A source is a function that
  asks for the next page: a stage of a list, empty at the end; one at a time."
  (:require [clojure.core.async :as async]
            [clojure.core.async.impl.protocols :as impl]
            [clojure.core.protocols :as protocols]
            [clojure.core.reducers :as reducers]
            [kermes.redis.failure :as failure])
  (:import (clojure.lang IReduce Sequential)
           (java.util ArrayDeque List)
           (java.util.concurrent Callable CompletionException CompletionStage ExecutionException
                                 Executor Executors ForkJoinPool ForkJoinTask Future)
           (java.util.function BiConsumer)))

(set! *warn-on-reflection* true)

;; ---- as a channel

(deftype SourceChannel [ch ^java.lang.AutoCloseable source]
  impl/ReadPort
  (take! [_ handler] (impl/take! ch handler))
  impl/Channel
  (closed? [_] (impl/closed? ch))
  (close! [_]
    (impl/close! ch)
    (.close source)))

(deftype ^:private Failure [value])

(defn- around-failures
  "The transducer `xf`, or none, that failures go around."
  [xf]
  (if xf
    (fn [rf]
      (let [step (xf rf)]
        (fn
          ([result] (step result))
          ([result element]
           (if (instance? Failure element)
             (rf result (.value ^Failure element))
             (step result element))))))
    (map #(if (instance? Failure %) (.value ^Failure %) %))))

(defn chan
  "A channel for `onto-channel!` with room for `size` elements, whose transducer :xf sees the
  elements, not the failure."
  [size {:keys [xf ex-handler]}]
  (async/chan size (around-failures xf) ex-handler))

(defn- pour
  "Puts elements in order, each when the one before has been taken; then calls `done`. Ends the
  source when the channel was closed, by its reader or by its transducer."
  [elements ch ^java.lang.AutoCloseable source done]
  (loop [left (seq elements)]
    (cond
      (impl/closed? ch) (.close source)
      (nil? left) (done)
      (async/offer! ch (first left)) (recur (next left))
      :else (async/put! ch (first left) (fn [_] (pour (next left) ch source done)) false))))

(defn onto-channel!
  "Puts all elements onto a `chan`, one put at a time, and closes it at the end; a failure comes last.
  The next page is asked for when the last one has been taken. `executor` runs transducers."
  [next-page ^Executor executor ch source]
  (.whenCompleteAsync
   ^CompletionStage (next-page)
   (reify BiConsumer
     (accept [_ page problem]
       (cond
         problem (pour [(Failure. (failure/of-stage problem))] ch source #(async/close! ch))
         (.isEmpty ^List page) (async/close! ch)
         :else (pour page ch source #(onto-channel! next-page executor ch source)))))
   executor))

;; ---- as a reducible

(defn await-stage
  "What a stage ends with; waits for it."
  [^CompletionStage stage]
  (try
    (.join (.toCompletableFuture stage))
    (catch CompletionException e (throw (failure/of-stage e)))))

(defn- await-page ^List [stage] (await-stage stage))

(defn- reduce-page
  "The result so far, as Reduced when `f` has enough."
  [f init page]
  (reduce (fn [result element]
            (let [result (f result element)]
              (if (reduced? result) (reduced result) result)))
          init page))

(defn- reduce-pages
  "The next page is on its way while one is reduced."
  [next-page f init]
  (loop [stage (next-page), result init]
    (let [page (await-page stage)]
      (if (.isEmpty page)
        result
        (let [following (next-page)
              result (reduce-page f result page)]
          (if (reduced? result) @result (recur following result)))))))

(defn- fold-task ^ForkJoinTask [combinef reducef elements]
  (.submit (ForkJoinPool/commonPool) ^Callable #(reduce reducef (combinef) elements)))

(def ^:private tasks-max (* 2 (.availableProcessors (Runtime/getRuntime))))

(defn- fold-pages
  "Groups of at least n elements are reduced in parallel, at most `tasks-max` of them, while further
  pages come; their results are combined in order."
  [next-page n combinef reducef]
  (let [tasks (ArrayDeque.)
        combine-first #(combinef % (.join ^ForkJoinTask (.poll tasks)))]
    (loop [stage (next-page), group [], result (combinef)]
      (let [page (await-page stage)
            last? (.isEmpty page)
            following (when-not last? (next-page))
            group (into group page)
            full? (and (seq group) (or last? (<= n (count group))))]
        (when full? (.add tasks (fold-task combinef reducef group)))
        (let [result (if (<= tasks-max (.size tasks)) (combine-first result) result)]
          (if last?
            (loop [result result] (if (.isEmpty tasks) result (recur (combine-first result))))
            (recur following (if full? [] group) result)))))))

(defn- fold-parts
  "Each source is folded by a thread of its own; the results are combined in the sources' order."
  [sources n combinef reducef]
  (with-open [threads (Executors/newVirtualThreadPerTaskExecutor)]
    (let [fold (fn [source]
                 (.submit threads ^Callable #(fold-pages source n combinef reducef)))]
      (try
        (reduce combinef (map #(.get ^Future %) (mapv fold sources)))
        (catch ExecutionException e (throw (ex-cause e)))))))

(defn- lazily [next-page]
  (lazy-seq
   (let [page (await-page (next-page))]
     (when-not (.isEmpty page) (concat page (lazily next-page))))))

(defn- close-source! [next-page]
  (when (instance? java.lang.AutoCloseable next-page)
    (.close ^java.lang.AutoCloseable next-page)))

(defn- with-source
  "Calls `use` with a source that it may leave before its end."
  [open use]
  (let [next-page (open)]
    (try (use next-page) (finally (close-source! next-page)))))

;; `open` gives a source of everything, `parts` sources that make up everything and may be read at the
;; same time.
(deftype Pages [open parts executor]
  Sequential
  IReduce
  (reduce [_ f]
    (let [none (Object.)
          f-first (fn [result element] (if (identical? none result) element (f result element)))
          result (with-source open #(reduce-pages % f-first none))]
      (if (identical? none result) (f) result)))
  (reduce [_ f init]
    (if (reduced? init) @init (with-source open #(reduce-pages % f init))))
  Iterable
  (iterator [_] (.iterator ^Iterable (sequence (lazily (open)))))
  protocols/CollReduce
  (coll-reduce [this f] (.reduce this f))
  (coll-reduce [this f init] (.reduce this f init))
  reducers/CollFold
  (coll-fold [_ n combinef reducef]
    (let [sources (parts)]
      (try
        (if (next sources)
          (fold-parts sources n combinef reducef)
          (fold-pages (first sources) n combinef reducef))
        (finally (run! close-source! sources))))))

(defmethod print-method Pages [_ ^java.io.Writer out]
  (.write out "#<pages of Redis>"))

(defn to-chan
  "A channel of everything in pages, for go blocks."
  [^Pages pages options]
  (let [ch (chan 1 options)
        next-page ((.open pages))
        source (reify java.lang.AutoCloseable (close [_] (close-source! next-page)))]
    (onto-channel! next-page (.executor pages) ch source)
    (SourceChannel. ch source)))

(ns kermes.redis.pages
  "Paged results as a channel, or as a collection to reduce and fold. A source is a function that
  requests the next page and returns a stage of a list, which is empty at the end. Only one page may
  be requested at a time."
  {:no-doc true}
  (:require
   [clojure.core.async :as async]
   [clojure.core.async.impl.protocols :as impl]
   [clojure.core.protocols :as protocols]
   [clojure.core.reducers :as reducers]
   [kermes.redis.failure :as failure])
  (:import
   (clojure.lang IReduce Sequential)
   (java.util ArrayDeque List)
   (java.util.concurrent Callable CompletionException CompletionStage ExecutionException Executor Executors ForkJoinPool ForkJoinTask Future)
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
  "The transducer `xf`, or the identity, with failures passed around it."
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
  "Creates a channel for `onto-channel!` that buffers `size` elements. Its transducer :xf sees the
  elements, not the failure."
  [size {:keys [xf ex-handler]}]
  (async/chan size (around-failures xf) ex-handler))

(defn- pour
  "Puts elements in order, each when the one before has been accepted; then calls `done`. Closes the
  source if the channel was closed by its reader or by its transducer."
  [elements ch ^java.lang.AutoCloseable source done]
  (loop [left (seq elements)]
    (cond
      (impl/closed? ch) (.close source)
      (nil? left) (done)
      (async/offer! ch (first left)) (recur (next left))
      :else (async/put! ch (first left) (fn [_] (pour (next left) ch source done)) false))))

(defn onto-channel!
  "Puts all elements onto a `chan`, one put at a time, and closes it at the end; a failure is the last
  element. Requests the next page when the previous one has been accepted. `executor` runs
  transducers."
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

;; ---- as a reducible collection

(defn await-stage
  "Blocks for the result of a stage; throws its failure."
  [^CompletionStage stage]
  (try
    (.join (.toCompletableFuture stage))
    (catch CompletionException e (throw (failure/of-stage e)))))

(defn- await-page ^List [stage] (await-stage stage))

(defn- reduce-page
  "Reduces one page; returns a Reduced if `f` terminates early."
  [f init page]
  (reduce (fn [result element]
            (let [result (f result element)]
              (if (reduced? result) (reduced result) result)))
          init page))

(defn- reduce-pages
  "Reduces all pages; requests the next page before it reduces one."
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
  "Reduces groups of at least n elements in parallel, at most `tasks-max` of them, while further pages
  arrive; combines their results in order."
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
  "Folds each source on a separate thread, and combines the results in the order of the sources."
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
  "Calls `use` with a source, and closes the source afterwards."
  [open use]
  (let [next-page (open)]
    (try (use next-page) (finally (close-source! next-page)))))

;; `open` returns one source of all elements; `parts` returns sources that together have all elements
;; and may be read in parallel.
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
  "Returns a channel with all elements, for go blocks."
  [^Pages pages options]
  (let [ch (chan 1 options)
        next-page ((.open pages))
        source (reify java.lang.AutoCloseable (close [_] (close-source! next-page)))]
    (onto-channel! next-page (.executor pages) ch source)
    (SourceChannel. ch source)))

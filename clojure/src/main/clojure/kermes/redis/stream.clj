(ns kermes.redis.stream
  "Streams as collections that can be reduced and read as channels: entries, tail, consume; to-chan. An
  element is [id {field value}]. And `work`, which calls a function for each entry.

    (into [] (map second) (entries c \"log\"))
    (go-loop []
      (when-let [[id fields] (<! ch)] ...))     ; (def ch (to-chan (tail c \"log\")))

  Reducing blocks for pages, so go blocks must use to-chan. `tail` and `consume` never end: reduce them
  with a function that terminates early, or close the channel."
  (:require
   [kermes.redis.pages :as pages]
   [kermes.redis.request :as request]
   [kermes.redis.sending :as sending])
  (:import
   (dev.kermes.client AsyncSender Codec Command StreamHandler StreamRead StreamWorker)
   (dev.kermes.client.reply StreamEntry)
   (dev.kermes.commands CommandTable)
   (java.time Duration)
   (java.util.concurrent CompletableFuture Future)))

(set! *warn-on-reflection* true)

(def ^:private makers
  (into {} (for [word ["XRANGE" "XREVRANGE" "XREAD" "XREADGROUP"]]
             [word (request/command-maker (.find (CommandTable/standard) ^String word))])))

(defn- command ^Command [client word & args]
  ((makers word) args (sending/codec client)))

(defn- send-now [client ^Command command]
  (.send ^AsyncSender (sending/sender client) command))

(defn- pages [client open]
  (pages/->Pages open (fn [] [(open)]) (.executor (.options (sending/redis-client client)))))

(defn- last-id [page] (first (peek page)))

(def ^:private done (CompletableFuture/completedFuture []))

;; ---- existing entries

(defn- range-source [client key {:keys [from to count]}]
  (let [start (atom (or from "-"))]
    (fn []
      (if-let [from @start]
        (sending/then (send-now client (command client "XRANGE" key from (or to "+")
                                                {:count count}))
                      (fn [page]
                        (reset! start (when (= count (clojure.core/count page))
                                        (str "(" (last-id page))))
                        (CompletableFuture/completedFuture page)))
        done))))

(defn entries
  "The entries of a stream, oldest first. Options: :from and :to, ids, where \"(\" before an id excludes
  it; :count, entries per page, 500 by default."
  ([client key] (entries client key {}))
  ([client key options]
   (pages client #(range-source client key (merge {:count 500} options)))))

;; ---- entries to come

(deftype ^:private WaitingSource [step in-flight]
  clojure.lang.IFn
  (invoke [_] (step))
  java.lang.AutoCloseable
  (close [_]
    (let [[asked] (reset-vals! in-flight ::closed)]
      (when (instance? Future asked) (.cancel ^Future asked true)))))

(defn- ask
  "The stage of a command that blocks in the server, without a timeout; closing the source cancels
  it."
  [in-flight client ^Command command]
  (let [asked (send-now client (.withTimeout command Duration/ZERO))]
    (when (= ::closed (swap! in-flight #(if (= ::closed %) % asked)))
      (.cancel ^Future asked true))
    asked))

(defn- newest-id [client key]
  (sending/then (send-now client (command client "XREVRANGE" key "+" "-" {:count 1}))
                (fn [[[id]]] (CompletableFuture/completedFuture (or id "0-0")))))

(defn- read-after [in-flight client key count position]
  (sending/then (ask in-flight client (command client "XREAD" {key @position}
                                               {:count count :block 0}))
                (fn [streams]
                  (let [page (first (vals streams))]
                    (reset! position (last-id page))
                    (CompletableFuture/completedFuture page)))))

(defn- tail-source [client key {:keys [from count]}]
  (let [position (atom from)
        in-flight (atom nil)]
    (WaitingSource.
      (fn []
        (if @position
          (read-after in-flight client key count position)
          (sending/then (newest-id client key)
                        (fn [id]
                          (reset! position id)
                          (read-after in-flight client key count position)))))
      in-flight)))

(defn tail
  "The entries that are added to a stream from now on, without end; waits on a separate connection.
  Options: :from, the id after which to begin, \"0\" for all entries; :count, the most entries per page,
  500 by default."
  ([client key] (tail client key {}))
  ([client key options]
   (pages client #(tail-source client key (merge {:count 500} options)))))

(defn- read-in-group [client group-and-consumer key position {:keys [count no-ack]}]
  (command client "XREADGROUP" group-and-consumer {key position}
           (cond-> {:count count :noack no-ack} (= ">" position) (assoc :block 0))))

(defn- group-source [client group-and-consumer key options]
  (let [position (atom "0")
        in-flight (atom nil)
        ask #(ask in-flight client
                  (read-in-group client group-and-consumer key @position options))]
    (WaitingSource.
      (fn step []
        (sending/then (ask)
                      (fn [streams]
                        (let [page (first (vals streams))]
                          (when-not (= ">" @position)
                            (reset! position (or (last-id page) ">")))
                          (if (seq page)
                            (CompletableFuture/completedFuture page)
                            (step))))))
      in-flight)))

(defn consume
  "The entries of a stream for a consumer, [group consumer], without end: first those that were
  delivered to it before and are not acknowledged, then new ones. Acknowledge entries with XACK when
  they have been processed; after a failure such as a lost connection, call this again. Fields of an
  entry that has been deleted in the meantime are nil. Options: :count, the most entries per page, 500
  by default; :no-ack, for a consumer that may lose entries."
  ([client group-and-consumer key] (consume client group-and-consumer key {}))
  ([client group-and-consumer key options]
   (pages client #(group-source client group-and-consumer key (merge {:count 500} options)))))

;; ---- workers

(defn- read-of
  ^StreamRead [^Codec values [group consumer] key {:keys [from count]}]
  (cond-> (-> (StreamRead/of (Codec/utf8) values key) (.as group consumer))
    from (.after from)
    count (.pageMax count)))

(defn work
  "Calls (f [id {field value}]) with the entries of a stream for a consumer, [group consumer], one at a
  time, on a virtual thread, and acknowledges an entry when f returns normally. Creates group and
  stream if they do not exist. An entry is delivered again if f throws, which is logged, or if its
  consumer is gone. Returns a StreamWorker: call .close on it, or use with-open; closing waits for the
  current entry. Options: :from, the id after which a new group begins, \"0\" by default; :count, the
  most entries per page, 100 by default; :retry-after, milliseconds before an unacknowledged entry is
  delivered again, 60,000 by default."
  (^StreamWorker [client group-and-consumer key f] (work client group-and-consumer key {} f))
  (^StreamWorker [client group-and-consumer key options f]
   (.consume (sending/redis-client client)
             (read-of (or (sending/codec client) (Codec/utf8)) group-and-consumer key options)
             (Duration/ofMillis (:retry-after options 60000))
             (reify StreamHandler
               (handle [_ entry] (f [(.id ^StreamEntry entry) (into {} (.fields ^StreamEntry entry))]))))))

(defn to-chan
  "Returns a channel with all elements of one of these collections, which requests pages only as fast
  as they are read. A failure is its last value. Closing it cancels the pending request. Options: :xf,
  a transducer, and its :ex-handler."
  ([stream] (to-chan stream {}))
  ([stream options] (pages/to-chan stream options)))

(comment ; with a server on localhost:6379
  (require '[kermes.redis :as redis])
  (def c (redis/connect "redis://localhost"))
  (redis/<?? (redis/xadd c "log" "*" {"event" "start"}))
  (into [] (map second) (entries c "log"))                  ; => [{"event" "start"}]
  (redis/close! c))

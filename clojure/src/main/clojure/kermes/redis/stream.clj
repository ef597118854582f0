(ns kermes.redis.stream
  "Streams as collections to reduce and read as channels: entries, tail, consume; to-chan. An element
  is [id {field value}]. And work, a function at work on a stream.

    (into [] (map second) (entries c \"log\"))
    (go-loop []
      (when-let [[id fields] (<! ch)] ...))     ; (def ch (to-chan (tail c \"log\")))

  Reducing waits for pages: not for go blocks, which use to-chan. `tail` and `consume` have no end;
  reduce them with something that has enough, or close the channel."
  (:require [kermes.redis.pages :as pages]
            [kermes.redis.request :as request]
            [kermes.redis.sending :as sending])
  (:import (dev.kermes.client AsyncSender Codec Command StreamEntry StreamHandler StreamRead StreamWorker)
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

;; ---- what is there

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
  "The entries of a stream, oldest first. Options: :from and :to, ids, \"(\" before an id excludes it;
  :count, how many come in one page, 500 by default."
  ([client key] (entries client key {}))
  ([client key options]
   (pages client #(range-source client key (merge {:count 500} options)))))

;; ---- what comes

(deftype ^:private Waiting [step in-flight]
  clojure.lang.IFn
  (invoke [_] (step))
  java.lang.AutoCloseable
  (close [_]
    (let [[asked] (reset-vals! in-flight ::closed)]
      (when (instance? Future asked) (.cancel ^Future asked true)))))

(defn- ask
  "The stage of a command that waits in the server, without a deadline; cancelled by closing."
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
    (Waiting. (fn []
                (if @position
                  (read-after in-flight client key count position)
                  (sending/then (newest-id client key)
                                (fn [id]
                                  (reset! position id)
                                  (read-after in-flight client key count position)))))
              in-flight)))

(defn tail
  "The entries that are added to a stream from now on, without end; waits on a connection of its own.
  Options: :from, an id to begin after, \"0\" for all; :count, how many come at once at most, 500 by
  default."
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
    (Waiting. (fn step []
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
  "The entries of a stream for a consumer, [group consumer], without end: first those that it was
  given before and has not acknowledged, then new ones. To be acknowledged with XACK when they have
  been dealt with; after a failure such as a lost connection, begin again. Fields of entries that
  were deleted meanwhile are nil. Options: :count, how many come at once at most, 500 by default;
  :no-ack, for a consumer that may lose some."
  ([client group-and-consumer key] (consume client group-and-consumer key {}))
  ([client group-and-consumer key options]
   (pages client #(group-source client group-and-consumer key (merge {:count 500} options)))))

;; ---- work

(defn- read-of
  ^StreamRead [^Codec values [group consumer] key {:keys [from count]}]
  (cond-> (-> (StreamRead/of (Codec/utf8) values key) (.as group consumer))
    from (.after from)
    count (.pageMax count)))

(defn work
  "Calls (f [id {field value}]) with the entries of a stream for a consumer, [group consumer], one
  after the other, on a virtual thread, and acknowledges those that it returns from normally. Makes
  group and stream where they are missing. An entry that f throws at, which the log tells, or whose
  consumer has gone, comes again. Returns a StreamWorker: .close it, or use with-open; it waits for
  the entry at hand. Options: :from, the id after which a new group begins, \"0\" by default;
  :count, how many come at once at most, 100 by default; :retry-after, milliseconds that an entry is
  left unacknowledged before it comes again, 60,000 by default."
  (^StreamWorker [client group-and-consumer key f] (work client group-and-consumer key {} f))
  (^StreamWorker [client group-and-consumer key options f]
   (.consume (sending/redis-client client)
             (read-of (or (sending/codec client) (Codec/utf8)) group-and-consumer key options)
             (Duration/ofMillis (:retry-after options 60000))
             (reify StreamHandler
               (handle [_ entry] (f [(.id ^StreamEntry entry) (into {} (.fields ^StreamEntry entry))]))))))

(defn to-chan
  "A channel of everything in one of these collections, at the pace of its reader; a failure comes as
  its last value. Closing it gives up waiting. Options: :xf, a transducer, and its :ex-handler."
  ([stream] (to-chan stream {}))
  ([stream options] (pages/to-chan stream options)))

(ns kermes.redis.sending
  "Sends commands through a client, a connection, a cache or a view, and returns channels for replies.

    RedisClient           hot path: event loop -> reply channel
    DedicatedConnection,  future -> reply channel
    ReadCache
    View                  one of these, with a codec for values"
  {:no-doc true}
  (:require
   [clojure.core.async :as async]
   [kermes.redis.channel :as channel]
   [kermes.redis.failure :as failure])
  (:import
   (dev.kermes.client AsyncSender Command CommandCancelledException RedisClient RedisFuture ReplySink SentCommand)
   (java.lang AutoCloseable)
   (java.util.concurrent CompletableFuture CompletionStage)
   (java.util.function BiConsumer BiFunction Function)))

(set! *warn-on-reflection* true)

(deftype View [sender codec]
  AutoCloseable
  (close [_] (.close ^AutoCloseable sender)))

(defn sender
  "The sender behind a view; any other client is returned unchanged."
  [client]
  (if (instance? View client) (.sender ^View client) client))

(defn codec
  "The codec of a view, or nil."
  [client]
  (when (instance? View client) (.codec ^View client)))

(defn through
  "A client with the codec of `client` that sends through `sender`."
  [client sender]
  (if-let [codec (codec client)] (->View sender codec) sender))

(defn redis-client
  "The RedisClient behind a view, for operations that only a client has."
  ^RedisClient [client]
  (let [sender (sender client)]
    (if (instance? RedisClient sender)
      sender
      (throw (IllegalArgumentException. (str "not a client: " (class sender)))))))

;; ---- stages

(defn- consumer [f]
  (reify BiConsumer (accept [_ result problem] (f result problem))))

(defn stage->channel
  "Returns a channel with `as-value` of the stage's result, or with its failure as a value."
  [^CompletionStage stage as-value]
  (let [ch (async/promise-chan)]
    (.whenComplete stage (consumer (fn [result problem]
                                     (async/put! ch (if problem
                                                      (failure/of-stage problem)
                                                      (as-value result))))))
    ch))

(defn commands-of
  "The stage of the commands taken from a channel; fails if the value taken is an exception, or if the
  channel is closed without one."
  ^CompletionStage [ch]
  (let [stage (CompletableFuture.)]
    (async/take! ch (fn [value]
                      (cond
                        (nil? value) (.completeExceptionally stage (ex-info "no commands" {}))
                        (instance? Throwable value) (.completeExceptionally stage value)
                        :else (.complete stage value))))
    stage))

(defn then
  "Chains `f`, which returns a stage, to a stage."
  ^CompletionStage [^CompletionStage stage f]
  (.thenCompose stage (reify Function (apply [_ result] (f result)))))

;; ---- commands

(defn- cancelling [^RedisFuture future]
  (reify SentCommand (cancel [_] (.cancel future true))))

(defn- finish
  "Completes a sink with the outcome of a future; does nothing if the command was cancelled."
  [^ReplySink sink result problem]
  (when-not (instance? CommandCancelledException problem)
    (when-let [takers (if problem (.onFailure sink problem) (.onResult sink result))]
      (.run ^Runnable takers))))

(defn future->reply-channel
  "Returns the channel for the reply of a future; calls `before` with the reply or the failure before
  it can be taken."
  ([future] (future->reply-channel future (constantly nil)))
  ([^RedisFuture future before]
   (let [ch (channel/reply-channel failure/failure)]
     (ch (cancelling future))
     (.whenComplete future (consumer (fn [result problem]
                                       (before result problem)
                                       (finish ch result problem))))
     ch)))

(defn ^:redef send-command
  "Sends a command; returns the channel for its reply."
  [sender ^Command command]
  (if (instance? RedisClient sender)
    (let [ch (channel/reply-channel failure/failure)]
      (ch (.send ^RedisClient sender command ^ReplySink ch))
      ch)
    (future->reply-channel (.send ^AsyncSender sender command))))

(defn- ended
  "A future that completes normally when `future` ends, even with a failure."
  [^RedisFuture future]
  (.toCompletableFuture (.handle future (reify BiFunction (apply [_ _ _] true)))))

(defn send-all
  "Sends commands together; returns the stage of a list with a result or an exception for each."
  ^CompletionStage [sender commands]
  (if (instance? RedisClient sender)
    (.sendAll ^RedisClient sender commands)
    (let [futures (mapv #(.send ^AsyncSender sender %) commands)]
      (.thenApply (CompletableFuture/allOf (into-array CompletableFuture (map ended futures)))
                  (reify Function
                    (apply [_ _]
                      (mapv (fn [^RedisFuture f] (or (.failure f) (.join f))) futures)))))))

(defn run-command
  "Creates a command and sends it; returns the channel for its reply."
  [client maker args]
  (if (instance? RedisClient client)
    (send-command client (maker args))
    (send-command (sender client) (maker args (codec client)))))

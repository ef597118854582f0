(ns ^:no-doc kermes.redis.sending
  "Sends commands through whatever stands for a server, and hands out channels for what comes.

    RedisClient           the hot path: event loop -> reply channel
    DedicatedConnection,  a future -> reply channel
    ReadCache
    View                  one of those, with a codec for values"
  (:require [clojure.core.async :as async]
            [kermes.redis.channel :as channel]
            [kermes.redis.failure :as failure])
  (:import (dev.kermes.client AsyncSender Command CommandCancelledException RedisClient RedisFuture
                              ReplySink SentCommand)
           (java.lang AutoCloseable)
           (java.util.concurrent CompletableFuture CompletionStage)
           (java.util.function BiConsumer BiFunction Function)))

(set! *warn-on-reflection* true)

(deftype View [sender codec]
  AutoCloseable
  (close [_] (.close ^AutoCloseable sender)))

(defn sender
  "What sends, behind a view."
  [client]
  (if (instance? View client) (.sender ^View client) client))

(defn codec
  "The codec of a view, or nil."
  [client]
  (when (instance? View client) (.codec ^View client)))

(defn through
  "`sender` instead of the client's own, with the same codec."
  [client sender]
  (if-let [codec (codec client)] (->View sender codec) sender))

(defn redis-client
  "The client behind a view, for what only a client can do."
  ^RedisClient [client]
  (let [sender (sender client)]
    (if (instance? RedisClient sender)
      sender
      (throw (IllegalArgumentException. (str "no client: " (class sender)))))))

;; ---- stages

(defn- consumer [f]
  (reify BiConsumer (accept [_ result problem] (f result problem))))

(defn stage->channel
  "A channel with `as-value` of the stage's result, or with its failure as a value."
  [^CompletionStage stage as-value]
  (let [ch (async/promise-chan)]
    (.whenComplete stage (consumer (fn [result problem]
                                     (async/put! ch (if problem
                                                      (failure/of-stage problem)
                                                      (as-value result))))))
    ch))

(defn commands-of
  "A stage of the commands that a channel gives; fails with one that is an exception, and when the channel
  is closed instead."
  ^CompletionStage [ch]
  (let [stage (CompletableFuture.)]
    (async/take! ch (fn [value]
                      (cond
                        (nil? value) (.completeExceptionally stage (ex-info "no commands" {}))
                        (instance? Throwable value) (.completeExceptionally stage value)
                        :else (.complete stage value))))
    stage))

(defn then
  "The stage of `f`, which returns a stage, after a stage."
  ^CompletionStage [^CompletionStage stage f]
  (.thenCompose stage (reify Function (apply [_ result] (f result)))))

;; ---- commands

(defn- cancelling [^RedisFuture future]
  (reify SentCommand (cancel [_] (.cancel future true))))

(defn- finish
  "Ends a sink as a future did; one that was cancelled is not called any more."
  [^ReplySink sink result problem]
  (when-not (instance? CommandCancelledException problem)
    (when-let [takers (if problem (.onFailure sink problem) (.onResult sink result))]
      (.run ^Runnable takers))))

(defn future->reply-channel
  "The channel for the reply that a future waits for; `before` is called with it, or with what it
  failed with, before anybody can take it."
  ([future] (future->reply-channel future (constantly nil)))
  ([^RedisFuture future before]
   (let [ch (channel/reply-channel failure/failure)]
     (ch (cancelling future))
     (.whenComplete future (consumer (fn [result problem]
                                       (before result problem)
                                       (finish ch result problem))))
     ch)))

(defn ^:redef send-command
  "The channel for the reply of a command."
  [sender ^Command command]
  (if (instance? RedisClient sender)
    (let [ch (channel/reply-channel failure/failure)]
      (ch (.send ^RedisClient sender command ^ReplySink ch))
      ch)
    (future->reply-channel (.send ^AsyncSender sender command))))

(defn- ended
  "The future of the end of one that does not fail."
  [^RedisFuture future]
  (.toCompletableFuture (.handle future (reify BiFunction (apply [_ _ _] true)))))

(defn send-all
  "The stage of a list with a result or an exception for each of these commands, sent at once."
  ^CompletionStage [sender commands]
  (if (instance? RedisClient sender)
    (.sendAll ^RedisClient sender commands)
    (let [futures (mapv #(.send ^AsyncSender sender %) commands)]
      (.thenApply (CompletableFuture/allOf (into-array CompletableFuture (map ended futures)))
                  (reify Function
                    (apply [_ _]
                      (mapv (fn [^RedisFuture f] (or (.failure f) (.join f))) futures)))))))

(defn run-command
  "Makes a command and sends it."
  [client maker args]
  (if (instance? RedisClient client)
    (send-command client (maker args))
    (send-command (sender client) (maker args (codec client)))))

(ns kermes.redis.channel
  "A core.async channel for exactly one reply.

    nil -> Takers -> Reply -> closed
           handlers parked

  It consists of one object and its state: no buffer, no lock, no go block. The event loop sets the
  reply. Parked takers run on the client's executor; all takers that one read of the socket makes
  ready run in one task. Works with core.async 1.6.681 and newer."
  {:no-doc true}
  (:require
   [clojure.core.async.impl.protocols :as impl])
  (:import
   (dev.kermes.client RedisException ReplySink SentCommand)
   (java.util.concurrent.atomic AtomicReference)
   (java.util.concurrent.locks Lock)))

(set! *warn-on-reflection* true)

(deftype Reply [value]
  clojure.lang.IDeref
  (deref [_] value))

(deftype Takers [handlers])

(def ^:private closed (Reply. nil))

(defn- commit
  "Commits `handler` and returns its callback, or nil if another channel has served it (alts!)."
  [handler]
  (.lock ^Lock handler)
  (try
    (when (impl/active? handler) (impl/commit handler))
    (finally (.unlock ^Lock handler))))

(defn- serve
  "Gives the reply to the first handler that is still active, nil to the others. Returns a Runnable
  that calls them, or nil; callbacks that core.async marks as :on-caller? are called at once."
  ^Runnable [^AtomicReference state ^Reply reply handlers]
  (loop [handlers (seq handlers), value (.value reply), work nil]
    (if-let [handler (first handlers)]
      (if-let [callback (commit handler)]
        (do
          (when (some? value) (.set state closed))
          (if (:on-caller? (meta callback))
            (do (callback value) (recur (next handlers) nil work))
            (let [task (fn [] (callback value))]
              (recur (next handlers) nil (if work (let [w work] (fn [] (w) (task))) task)))))
        (recur (next handlers) value work))
      work)))

(defn- finish
  "Sets the reply, unless there is one already or the channel is closed."
  ^Runnable [^AtomicReference state ^Reply reply]
  (loop []
    (let [seen (.get state)]
      (cond
        (nil? seen) (if (.compareAndSet state nil reply) nil (recur))
        (instance? Takers seen) (if (.compareAndSet state seen reply)
                                  (serve state reply (.handlers ^Takers seen))
                                  (recur))
        :else nil))))

(defn- try-take
  "Makes one attempt to take. Returns a Reply, nil if parked, or ::again if another thread changed
  the state. The caller has locked the handler."
  [^AtomicReference state handler]
  (let [seen (.get state)]
    (cond
      (identical? seen closed) (do (impl/commit handler) closed)
      (instance? Reply seen) (if (.compareAndSet state seen closed)
                               (do (impl/commit handler) seen)
                               ::again)
      (not (impl/blockable? handler)) nil
      :else (let [waiting (if seen (filterv impl/active? (.handlers ^Takers seen)) [])]
              (if (.compareAndSet state seen (Takers. (conj waiting handler))) nil ::again)))))

(deftype ReplyChannel [^AtomicReference state on-failure ^:volatile-mutable sent]
  impl/ReadPort
  (take! [_ handler]
    (.lock ^Lock handler)
    (try
      (loop []
        (when (impl/active? handler)
          (let [result (try-take state handler)]
            (if (identical? result ::again) (recur) result))))
      (finally (.unlock ^Lock handler))))

  impl/Channel
  (closed? [_] (instance? Reply (.get state)))
  (close! [_]
    (when-let [^SentCommand command sent] (.cancel command))
    (when-let [work (finish state closed)] (work))
    nil)

  ReplySink
  (onResult [_ result] (finish state (Reply. (if (nil? result) :kermes.redis/nil result))))
  (onFailure [_ failure] (finish state (Reply. (on-failure failure))))

  clojure.lang.IFn
  (invoke [_ command] (set! sent command) nil))

(defn reply-channel
  "Creates a channel; `on-failure` converts a failure to the value to take. Call the channel with the
  SentCommand, so that close! can cancel it."
  ^ReplyChannel [on-failure]
  (ReplyChannel. (AtomicReference.) on-failure nil))

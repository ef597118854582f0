(ns ^:no-doc kermes.redis.subscription
  "A subscription as a core.async channel of events.

    event loop -> Subscription's buffer (bounded, says what it drops) -> one put! at a time -> channel

  The event loop never waits and never puts; whoever is slow fills the bounded buffer only."
  (:require [clojure.core.async :as async]
            [clojure.core.async.impl.protocols :as impl]
            [kermes.redis.failure :as failure])
  (:import (dev.kermes.client Codec RedisClient Subscription SubscriptionEvent$Confirmed
                              SubscriptionEvent$Dropped SubscriptionEvent$Lost
                              SubscriptionEvent$Message SubscriptionEvent$Refused
                              SubscriptionEvent$Resumed SubscriptionOptions
                              SubscriptionOptions$Overflow)
           (java.util List)
           (java.util.concurrent CompletionStage Executor)
           (java.util.function BiConsumer)))

(set! *warn-on-reflection* true)

;; ---- events

(defn- payload [^SubscriptionEvent$Message message ^Codec codec]
  (if codec
    (let [bytes (.payload message)]
      (try (.decode codec bytes 0 (alength bytes))
           (catch RuntimeException e
             (ex-info (str "payload not decodable: " (ex-message e)) {:kermes.redis/error :decode}
                      e))))
    (.text message)))

(defn- message [^SubscriptionEvent$Message e codec]
  (cond-> {:event :message, :channel (.channel e), :payload (payload e codec)}
    (.pattern e) (assoc :pattern (.pattern e))))

(defn- event [e codec]
  (condp instance? e
    SubscriptionEvent$Message (message e codec)
    SubscriptionEvent$Confirmed {:event :confirmed
                                 :channel (.channel ^SubscriptionEvent$Confirmed e)}
    SubscriptionEvent$Lost {:event :lost
                            :cause (failure/failure (.cause ^SubscriptionEvent$Lost e))}
    SubscriptionEvent$Resumed {:event :resumed}
    SubscriptionEvent$Refused {:event :refused
                               :channel (.channel ^SubscriptionEvent$Refused e)
                               :cause (failure/failure (.cause ^SubscriptionEvent$Refused e))}
    SubscriptionEvent$Dropped {:event :dropped, :count (.count ^SubscriptionEvent$Dropped e)}))

;; ---- the channel

(deftype SubscriptionChannel [events ^Subscription subscription]
  impl/ReadPort
  (take! [_ handler] (impl/take! events handler))
  impl/Channel
  (closed? [_] (impl/closed? events))
  (close! [_]
    (.close subscription)
    (impl/close! events)))

(defn- on-next
  "Calls `f` on the executor with what happens next: a list, empty at the end."
  [^Subscription subscription ^Executor executor f]
  (.whenCompleteAsync ^CompletionStage (.next subscription)
                      (reify BiConsumer (accept [_ events _] (f events)))
                      executor))

(defn- pour
  "Puts events in order, each when the one before has been taken; then calls `done`. Ends the
  subscription when the channel was closed, by its reader or by its transducer."
  [events ch ^Subscription subscription done]
  (loop [left (seq events)]
    (cond
      (impl/closed? ch) (.close subscription)
      (nil? left) (done)
      (async/offer! ch (first left)) (recur (next left))
      :else (async/put! ch (first left)
                        (fn [_] (pour (next left) ch subscription done))
                        false))))

(defn- pump [^Subscription subscription executor ch codec]
  (on-next subscription executor
           (fn [^List events]
             (if (.isEmpty events)
               (async/close! ch)
               (pour (map #(event % codec) events) ch subscription
                     #(pump subscription executor ch codec))))))

(defn- overflow [policy]
  (case policy
    :drop-oldest SubscriptionOptions$Overflow/DROP_OLDEST
    :drop-newest SubscriptionOptions$Overflow/DROP_NEWEST
    :close SubscriptionOptions$Overflow/CLOSE))

(defn subscription-options
  "SubscriptionOptions from :buffer and :overflow."
  ^SubscriptionOptions [{:keys [buffer] policy :overflow}]
  (SubscriptionOptions. (int (or buffer 1024)) (overflow (or policy :drop-oldest))))

(defn channel
  "The events of a subscription as a channel, through the transducer :xf."
  [^RedisClient client ^Subscription subscription codec {:keys [xf ex-handler]}]
  (let [ch (async/chan 1 xf ex-handler)]
    (pump subscription (.executor (.options client)) ch codec)
    (SubscriptionChannel. ch subscription)))

(defn confirmed
  "The stage of a subscription's confirmation."
  ^CompletionStage [^SubscriptionChannel ch]
  (.confirmed ^Subscription (.subscription ch)))

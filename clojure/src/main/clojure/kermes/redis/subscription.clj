(ns kermes.redis.subscription
  "A subscription as a core.async channel of events.

    event loop -> buffer of the Subscription (bounded, reports drops) -> executor -> channel (same size)

  The event loop never waits and never puts. Events are moved to the channel while it has space, before
  a reader asks for them, so that poll! and alts! with a :default find them; the others wait in the
  Subscription."
  {:no-doc true}
  (:require
   [kermes.redis.failure :as failure]
   [kermes.redis.pages :as pages])
  (:import
   (dev.kermes.client Codec RedisClient Subscription SubscriptionEvent$Confirmed SubscriptionEvent$Dropped SubscriptionEvent$Lost SubscriptionEvent$Message SubscriptionEvent$Refused SubscriptionEvent$Resumed SubscriptionOptions SubscriptionOptions$Overflow)
   (java.util List)
   (java.util.concurrent CompletionStage)
   (java.util.function Function)
   (kermes.redis.pages SourceChannel)))

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

(defn event
  "An event of the client as a map."
  [e codec]
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

(defn- overflow [policy]
  (case policy
    :drop-oldest SubscriptionOptions$Overflow/DROP_OLDEST
    :drop-newest SubscriptionOptions$Overflow/DROP_NEWEST
    :close SubscriptionOptions$Overflow/CLOSE))

(defn- buffer-size [{:keys [buffer]}]
  (int (or buffer 1024)))

(defn subscription-options
  "Creates SubscriptionOptions from :buffer and :overflow."
  ^SubscriptionOptions [{policy :overflow :as options}]
  (SubscriptionOptions. (buffer-size options) (overflow (or policy :drop-oldest))))

(defn channel
  "Returns a channel with the events of a subscription, through the transducer :xf."
  [^RedisClient client ^Subscription subscription codec options]
  (let [ch (pages/chan (buffer-size options) options)
        events (fn [^List page] (mapv #(event % codec) page))]
    (pages/onto-channel! #(.thenApply (.next subscription)
                                      (reify Function (apply [_ page] (events page))))
                         (.executor (.options client)) ch subscription)
    (pages/->SourceChannel ch subscription)))

(defn confirmed
  "The stage of a subscription's confirmation."
  ^CompletionStage [^SourceChannel ch]
  (.confirmed ^Subscription (.source ch)))

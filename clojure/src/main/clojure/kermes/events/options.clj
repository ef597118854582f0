(ns kermes.events.options
  "Converts maps to the options of topics, events, handlers and sources. Unknown keys are refused, so
  that a misspelt option cannot be ignored silently."
  {:no-doc true}
  (:require
   [kermes.redis.codec :as codec]
   [kermes.redis.subscription :as subscription])
  (:import
   (dev.kermes.client Codec)
   (dev.kermes.events ChannelSource EmitOptions Parking PayloadCodec PayloadTypes RedisEvents$Builder StreamSource)
   (dev.kermes.events.schedule Missed Schedule)
   (dev.kermes.reactor HandlerSpec Overflow Retry)
   (java.time Duration ZoneId)
   (java.util.concurrent Executor)
   (java.util.function Consumer Predicate)))

(set! *warn-on-reflection* true)

(defn millis
  "A duration of milliseconds."
  ^Duration [n]
  (Duration/ofMillis n))

(defn- unknown [option]
  (throw (ex-info (str "unknown option: " option) {:kermes.redis/error :arguments, :option option})))

;; ---- of all topics

(defn- with-payload-type [^PayloadTypes types [type-name given]]
  (let [[type codec] (if (vector? given) given [Object given])]
    (.with types type-name ^Class type ^Codec codec)))

(defn payload-codec
  "The codec of payloads: texts, byte arrays, and the types of a map, those of a class first."
  ^PayloadCodec [payloads]
  (if (instance? PayloadCodec payloads)
    payloads
    (reduce with-payload-type (PayloadTypes/standard)
            (sort-by (comp not vector? val) (or payloads {"edn" codec/edn})))))

(defn- parking ^Parking [{:keys [age-ms backoff-ms length-max]}]
  (cond-> (Parking/upTo (millis age-ms))
    backoff-ms (.backoff (millis (first backoff-ms)) (millis (second backoff-ms)))
    length-max (.lengthMax (int length-max))))

(defn- with-events-option [^RedisEvents$Builder builder [option v]]
  (case option
    :group (.group builder v)
    :member (.member builder v)
    :partitions (.partitions builder (int v))
    :lease-ms (.lease builder (millis v))
    :window (.window builder (int v))
    :retention-ms (.retention builder (millis v))
    :parking (.parking builder (parking v))
    :starts-max (.startsMax builder (int v))
    :from-now (if v (.fromNow builder) builder)
    (unknown option)))

(defn events-options
  "Adds options of `kermes.events/open` to a builder."
  ^RedisEvents$Builder [builder options]
  (reduce with-events-option builder options))

;; ---- of an event

(defn- with-emit-option [^EmitOptions how [option v]]
  (case option
    :id (.id how v)
    :id-kept-ms (.idKept how (millis v))
    :delay-ms (.delay how (millis v))
    :headers (.headers how v)
    :within-ms (.within how (millis v))
    :replicated (.replicated how (int (first v)) (millis (second v)))
    (unknown option)))

(defn emit-options
  "The options of one event."
  ^EmitOptions [options]
  (reduce with-emit-option (EmitOptions/none) options))

;; ---- of a recurring event

(defn schedule
  "The times of a map or of a function."
  ^Schedule [times]
  (cond
    (fn? times) (reify Schedule (next [_ after] (times after)))
    (:cron times) (Schedule/cron (:cron times) (ZoneId/of (:zone times "UTC")))
    (:every-ms times) (Schedule/every (millis (:every-ms times)))
    :else (throw (ex-info (str "neither :cron nor :every-ms nor a function: " times)
                          {:kermes.redis/error :arguments, :times times}))))

(defn- with-missed-option [_ [option v]]
  (case option
    :missed (case v
              :once Missed/ONCE
              :skip Missed/SKIP
              :each Missed/EACH)
    (unknown option)))

(defn missed
  "What becomes of times at which no member was there."
  ^Missed [options]
  (reduce with-missed-option Missed/ONCE options))

;; ---- of a handler

(defn- retry ^Retry [{:keys [times backoff-ms] curable? :when}]
  (cond-> (Retry/times (int times))
    backoff-ms (.backoff (millis (first backoff-ms)) (millis (second backoff-ms)))
    curable? (.when (reify Predicate (test [_ error] (boolean (curable? error)))))))

(defn- ordered ^HandlerSpec [^HandlerSpec spec order]
  (case order
    :keyed spec
    :serial (.serial spec)
    :parallel (.parallel spec)))

(defn- queue ^HandlerSpec [^HandlerSpec spec [n policy]]
  (.queue spec (int n) (case policy
                         :wait Overflow/WAIT
                         :drop Overflow/DROP
                         :reject Overflow/REJECT)))

(defn- with-handler-option [^HandlerSpec spec [option v]]
  (case option
    :name (.named spec v)
    :retry (.retry spec (retry v))
    :order (ordered spec v)
    :queue (queue spec v)
    :executor (if (instance? Executor v) (.on spec ^Executor v) (.on spec ^String v))
    (unknown option)))

(defn handler-options
  "Adds options of `kermes.events/on` to a handler."
  ^HandlerSpec [spec options]
  (reduce with-handler-option spec options))

;; ---- of sources

(defn- gap-hook ^Consumer [f codec]
  (reify Consumer (accept [_ event] (f (subscription/event event codec)))))

(defn- with-channel-option [codec ^ChannelSource source [option v]]
  (case option
    :prefix (.prefix source v)
    :on-gap (.onGap source (gap-hook v codec))
    (unknown option)))

(defn channel-source
  "Adds options to a source of messages."
  [^ChannelSource source ^Codec codec options]
  (let [buffered (.buffer source (subscription/subscription-options options))]
    (reduce (partial with-channel-option codec)
            (if codec (.payloads buffered codec) buffered)
            (dissoc options :buffer :overflow))))

(defn- with-stream-option [^StreamSource source [option v]]
  (case option
    :prefix (.prefix source v)
    :workers (.workers source (int v))
    :retry-after (.retryAfter source (millis v))
    (unknown option)))

(defn stream-source
  "Adds options to a source of entries."
  [source options]
  (reduce with-stream-option source options))

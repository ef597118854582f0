(ns kermes.events
  "Durable topics, calls and sources of events (kermes-events) for core.async: functions and channels as
  handlers, event maps, everything that waits as a channel.

    (def e (open c {:group \"billing\"}))
    (on e \"orders/{id}\" (fn [{:keys [params payload]}] (ship (:id params) payload)))
    (<?? (topic e \"orders\"))
    (<?? (emit e \"orders/42\" {:books 2}))       ;=> \"7:1700000000000-0\"
    (close! e)

  open, reactor, close!; emit, schedule, unschedule; on, off, chan, ack!, fail!, reply!; topic,
  close-topic!, partitions, partition-of, mine, mine?, owner, health; dead-letters, payload, replay!,
  drop!, parked; answer, call, call-owner, late-answers; from-channels, from-patterns, from-shards,
  from-keyspace, from-stream, stop!; topics, groups, facts.

  An event is a map:

    :key       \"orders/42\"              :id       the id that `emit` returned; or nil
    :params    {:id \"42\"}, the parts     :attempt  1, or more if it is repeated
               of the pattern            :headers  {\"trace\" \"7f\"}
    :payload   what was emitted          :token    the owner's fencing token; 0 without one
    :call?     whether a caller waits    :remaining-ms  until its deadline; nil without one

  Strings and byte arrays are stored as they are, other payloads as EDN. nil is :kermes.redis/nil on the
  way, and nil again in the handler. The functions that wait for the server return a channel for one
  value, to be read by kermes.redis/<?? or <!?. Besides the failures of kermes.redis there are
  :no-handler, :remote (with the :type of the handler's exception) and :not-replicated (with :id and
  :replicas)."
  (:require
   [clojure.core.async :as async]
   [kermes.events.options :as options]
   [kermes.redis.pages :as pages]
   [kermes.redis.sending :as sending])
  (:import
   (clojure.core.async.impl.protocols ReadPort)
   (clojure.lang IObj IPersistentMap)
   (dev.kermes.client RedisClient)
   (dev.kermes.events ChannelSource DeadLetter NotReplicatedException ParkedKey PayloadCodec RedisEvents RemoteFailureException StreamSource Topic TopicInspector TopicInspector$PartitionFacts)
   (dev.kermes.reactor Event EventMeta NoHandlerException Reactor Registration RunningSource Source Source$Health)
   (java.time Duration Instant)
   (java.util Map)
   (java.util.concurrent CompletableFuture CompletionException CompletionStage Future TimeoutException)
   (java.util.function BiConsumer Consumer Function IntConsumer)))

(set! *warn-on-reflection* true)

;; ---- values and failures as those of kermes.redis

(defn- present [value]
  (if (nil? value) :kermes.redis/nil value))

(defn- failure-data [e]
  (condp instance? e
    NoHandlerException {:kermes.redis/error :no-handler}
    RemoteFailureException {:kermes.redis/error :remote, :type (.type ^RemoteFailureException e)}
    NotReplicatedException {:kermes.redis/error :not-replicated
                            :id (.id ^NotReplicatedException e)
                            :replicas (.replicas ^NotReplicatedException e)}
    TimeoutException {:kermes.redis/error :timeout, :may-have-executed true}
    nil))

(defn- failure [^Throwable e]
  (let [cause (if (and (instance? CompletionException e) (.getCause e)) (.getCause e) e)]
    (if-let [data (failure-data cause)] (ex-info (ex-message cause) data cause) cause)))

(defn- stage->channel [^CompletionStage stage]
  (sending/stage->channel
    (.exceptionallyCompose stage (reify Function
                                   (apply [_ e] (CompletableFuture/failedFuture (failure e)))))
    present))

(defn- waiting
  "Returns a channel with the value of f, which waits for the server, on a virtual thread."
  [f]
  (let [result (CompletableFuture.)]
    (Thread/startVirtualThread
      (fn []
        (try (.complete result (f))
             (catch Throwable e (.completeExceptionally result e)))))
    (stage->channel result)))

;; ---- opening

(deftype ^:private Events [^RedisClient redis ^RedisEvents events ^Reactor reactor codec
                           ^PayloadCodec payloads own-reactor? channels])

(defn- on-error! [^Reactor reactor event-of f]
  (.onError reactor (reify BiConsumer (accept [_ event error] (f (event-of event) error)))))

(declare event-map)

(defn open
  "Topics and other events of a client. Sends nothing. Options:

    :group         the application whose members share the events of a topic; without one, events can
                   only be emitted
    :member        the name of this member, unique in the group; a random one by default
    :payloads      {name codec} or {name [class codec]}: how payloads are stored that are neither strings
                   nor byte arrays, {\"edn\" kermes.redis.codec/edn} by default. The name is stored with
                   each event
    :parking       {:age-ms 86400000 :backoff-ms [10000 600000] :length-max 10000}: events whose handlers
                   failed wait in Redis, and with them their key; by default they are dead letters
    :partitions    of a new topic; 16 by default
    :lease-ms      how long partitions stay with a member that does not answer; 12000 by default
    :window        events taken ahead of their acknowledgement; 256 by default
    :retention-ms  how long acknowledged events are kept; 7 days by default
    :starts-max    how often an event is begun whose owner dies each time; 5 by default
    :from-now      whether a new group begins with the next event instead of the first
    :reactor       a dev.kermes.reactor.Reactor to use instead of one that `close!` closes
    :on-error      (f event exception), called when a handler has failed for good; the default logs"
  ([client] (open client {}))
  ([client {:keys [payloads on-error] own :reactor :as options}]
   (let [redis (sending/redis-client client)
         ^Reactor reactor (or own (Reactor/create))
         payloads (options/payload-codec payloads)
         builder (options/events-options (RedisEvents/of redis reactor)
                                         (dissoc options :payloads :on-error :reactor))]
     (when on-error (on-error! reactor event-map on-error))
     (Events. redis (.open (.payloads builder payloads)) reactor (sending/codec client) payloads
              (nil? own) (atom [])))))

(defn- redis-events ^RedisEvents [^Events e] (.events e))

(defn reactor
  "The dev.kermes.reactor.Reactor whose handlers get the events."
  ^Reactor [^Events e]
  (.reactor e))

(defn close!
  "Stops reading, gives handlers `timeout-ms`, 10 seconds by default, releases the partitions, and closes
  the channels of `chan`. Waits; returns the number of events whose handlers have not ended."
  ([e] (close! e 10000))
  ([^Events e timeout-ms]
   (let [left (.close (redis-events e) (options/millis timeout-ms))]
     (when (.own-reactor? e) (.close (reactor e)))
     (run! async/close! @(.channels e))
     left)))

;; ---- emitting

(defn emit
  "Appends an event to the topic that is the first segment of the key. Returns a channel with its id when
  the server has it. After a failure with :may-have-executed it may be stored: emit it again with the
  same :id. Options:

    :id          stored once, however often it is emitted, within :id-kept-ms, a day by default
    :delay-ms    appended later, while a member reads the topic
    :headers     {name text}
    :within-ms   a dead letter if no handler begins in that time
    :replicated  [replicas timeout-ms], how many must have it"
  ([e key payload] (emit e key payload {}))
  ([e key payload options]
   (stage->channel (.emit (redis-events e) key (present payload) (options/emit-options options)))))

;; ---- recurring events

(defn schedule
  "Emits an event at each of these times, which its header \"scheduled\" tells as an ISO 8601 text. Let
  every member have the same schedules: each time has one event. A key has one schedule; another one
  takes its place. Events are emitted while a member runs. Returns a channel with true. The times are

    {:cron \"0 6 * * MON-FRI\" :zone \"Europe/Berlin\"}  minute, hour, day of month, month, day of week;
                                                     in UTC without :zone
    {:every-ms 1000}                                 every multiple of a period since 1970 UTC
    (fn [instant])                                   the next java.time.Instant after another, or nil

  Options: :missed, what becomes of times longer ago than a lease at which no member was there: :once
  (default) is one event for all of them, :skip none, :each one for each."
  ([e key times payload] (schedule e key times payload {}))
  ([e key times payload options]
   (let [times (options/schedule times)
         missed (options/missed options)]
     (waiting #(do (.schedule (redis-events e) key times (present payload) missed) true)))))

(defn unschedule
  "Ends the schedule of a key. Other members that have it continue: end it in all of them. Returns a
  channel with true."
  [e key]
  (waiting #(do (.unschedule (redis-events e) key) true)))

;; ---- handlers

(defn- params [^Event event]
  (into {} (map (fn [[part text]] [(keyword part) text])) (.params event)))

(defn- payload-of [^Event event]
  (let [payload (.payload event)]
    (cond
      (identical? :kermes.redis/nil payload) nil
      (and (instance? Map payload) (not (instance? IPersistentMap payload))) (into {} payload)
      :else payload)))

(defn- event-map [^Event event]
  (let [^EventMeta about (.meta event)]
    (with-meta {:key (.key event)
                :params (params event)
                :payload (payload-of event)
                :id (.id about)
                :attempt (.attempt about)
                :headers (into {} (.headers about))
                :token (.token about)
                :remaining-ms (when (.hasDeadline about) (.toMillis (.remaining about)))
                :call? (.isCall event)}
      {::event event})))

(defn- awaited
  "A future of a channel's value, which closes the channel when it is cancelled."
  ^Future [ch]
  (reify Future
    (get [_]
      (let [value (async/<!! ch)]
        (if (instance? Throwable value) (throw value) value)))
    (cancel [_ _]
      (async/close! ch)
      true)))

(defn- later
  "The result of a handler, with a future instead of a channel."
  [result]
  (if (instance? ReadPort result) (awaited result) result))

(defn on
  "Calls (f event) for the events whose keys match a pattern, on a virtual thread, in order per key. The
  event is acknowledged when f returns; if it returns a channel, a future or a CompletionStage, when
  that has its value. It has failed if f throws, or if the value is an exception. A handler that is
  interrupted, since its lease is over, closes its channel or cancels its future. A value other than nil
  answers a call; :kermes.redis/nil answers nil. Returns a registration for `off`. Options:

    :name      the handler's name, which is stored with dead letters; by default the pattern
    :retry     {:times 8 :backoff-ms [100 10000] :when (fn [exception] true)}: later events of the key
               wait. Then the event is parked or a dead letter
    :order     :keyed (default), :serial or :parallel
    :queue     [max policy], where :wait, :drop or :reject is for events beyond that
    :executor  a java.util.concurrent.Executor, or the name of one of the reactor"
  (^Registration [e pattern f] (on e pattern {} f))
  (^Registration [e pattern options f]
   (.handleFunction (options/handler-options (.at (reactor e) pattern) options)
                    (reify Function (apply [_ event] (later (f (event-map event))))))))

(defn off
  "Removes a handler. Events of a topic that no handler matches are dead letters: close the topic first."
  [^Registration registration]
  (.close registration))

(defn reply!
  "Answers the call that an event from a channel is; the first answer counts. Does nothing for others."
  [event answer]
  (.reply ^Event (::event (meta event)) (present answer)))

(defn- acknowledgeable [value ack]
  (if (instance? IObj value)
    (vary-meta value assoc ::ack ack)
    (throw (ex-info (str "cannot be acknowledged, it has no metadata: class=" (class value))
                    {:kermes.redis/error :arguments}))))

(defn- put-all! [ch values]
  (doseq [value values]
    (when-not (async/>!! ch value) (throw (ex-info "channel closed" {})))))

(defn- feeding
  "A handler that puts what a transducer makes of an event into a channel, and ends when all of that is
  acknowledged. The lock is for the transducer, since events of several keys arrive at once."
  [ch xf]
  (let [step ((or xf identity) conj)
        lock (Object.)]
    (fn [event]
      (let [made (locking lock (step [] event))
            acks (mapv (fn [_] (CompletableFuture.)) (unreduced made))]
        (put-all! ch (mapv acknowledgeable (unreduced made) acks))
        (when (reduced? made) (async/close! ch))
        (CompletableFuture/allOf (into-array CompletableFuture acks))))))

(defn chan
  "Returns a channel with the events whose keys match a pattern. Each must be acknowledged with `ack!`
  or `fail!`: until then later events of its key wait, and it counts for the window of its partition.
  Closing the channel removes the handler. Options are those of `on`, and

    :xf      a transducer for events. What it makes of them must be able to have metadata, as maps and
             vectors are, for `ack!`. An event that it drops or holds back is acknowledged
    :buffer  how many events wait in the channel; 1 by default"
  ([e pattern] (chan e pattern {}))
  ([^Events e pattern {:keys [buffer xf] :as options}]
   (let [ch (async/chan (or buffer 1))
         registration (on e pattern (dissoc options :buffer :xf) (feeding ch xf))
         readable (pages/->SourceChannel ch registration)]
     (swap! (.channels e) conj readable)
     readable)))

(defn ack!
  "Acknowledges an event from a channel: its handler has succeeded. Repeated calls do nothing."
  [event]
  (.complete ^CompletableFuture (::ack (meta event)) nil))

(defn fail!
  "Ends an event from a channel with an exception, as if a handler had thrown it."
  [event exception]
  (.completeExceptionally ^CompletableFuture (::ack (meta event)) exception))

;; ---- topics and their partitions

(defn- hook! [^Topic topic {:keys [on-acquired on-released]}]
  (when on-acquired
    (.onAcquired topic (reify BiConsumer (accept [_ partition token] (on-acquired partition token)))))
  (when on-released
    (.onReleased topic (reify IntConsumer (accept [_ partition] (on-released partition))))))

(defn topic
  "Brings the events of a topic to the handlers, as topic/key; register them first. Returns a channel with
  the topic, a dev.kermes.events.Topic. Options:

    :on-acquired  (f partition token), before the first event of a partition that this member acquires
    :on-released  (f partition), after the last one"
  ([e topic-name] (topic e topic-name {}))
  ([e topic-name options]
   (waiting #(.topic (redis-events e) topic-name
                     (reify Consumer (accept [_ opened] (hook! opened options)))))))

(defn close-topic!
  "Stops reading a topic, gives handlers `timeout-ms`, and releases its partitions. Waits; returns the
  number of events whose handlers have not ended."
  [^Topic topic timeout-ms]
  (.close topic ^Duration (options/millis timeout-ms)))

(defn partitions
  "The number of partitions of a topic."
  [^Topic topic]
  (.partitions topic))

(defn partition-of
  "The partition of a key, which is given without the topic."
  [^Topic topic key]
  (.partition topic key))

(defn mine
  "The partitions that this member owns, as a set."
  [^Topic topic]
  (set (.mine topic)))

(defn mine?
  "Whether this member owns the partition of a key, which is given without the topic."
  [^Topic topic key]
  (.isMine topic key))

(defn owner
  "Returns a channel with the member that owns the partition of a key, nil if there is none."
  [^Topic topic key]
  (waiting #(.owner topic key)))

(defn- health-map [health]
  {:up? (.isUp ^Source$Health health)
   :detail (.detail ^Source$Health health)})

(defn health
  "Whether a topic or another source is read: {:up? false :detail text}."
  [source]
  (health-map (if (instance? Topic source)
                (.health ^Topic source)
                (.health ^RunningSource source))))

;; ---- events that failed

(defn- letter-map [^DeadLetter letter]
  {:partition (.partition letter)
   :id (.id letter)
   :origin (.origin letter)
   :key (.key letter)
   :type (.type letter)
   :bytes (.payload letter)
   :headers (into {} (.headers letter))
   :cause (.cause letter)
   :handlers (vec (.handlers letter))
   :attempts (.attempts letter)})

(defn- letter-of ^DeadLetter [{:keys [partition id origin key type bytes headers cause handlers attempts]}]
  (DeadLetter. partition id origin key type bytes headers cause handlers attempts))

(defn dead-letters
  "Returns a channel with a vector of the events that the group failed to handle, at most `max`, 100 by
  default: maps with :key, :cause, :handlers, :attempts, :headers, :origin (the event's id), :type and
  :bytes (see `payload`), and :partition and :id of the letter."
  ([topic] (dead-letters topic 100))
  ([^Topic topic max]
   (waiting #(mapv letter-map (.list (.deadLetters topic) (int max))))))

(defn payload
  "The payload of a dead letter; throws if it cannot be decoded."
  [^Events e {:keys [type bytes]}]
  (.decode ^PayloadCodec (.payloads e) type bytes))

(defn replay!
  "Appends the event of a dead letter once more, for the handlers that failed; it comes behind later
  events of its key. Returns a channel with whether the letter was still there."
  [^Topic topic letter]
  (waiting #(.replay (.deadLetters topic) (letter-of letter))))

(defn drop!
  "Deletes a dead letter. Returns a channel with whether it was still there."
  [^Topic topic letter]
  (waiting #(.drop (.deadLetters topic) (letter-of letter))))

(defn- epoch-millis [^Instant at]
  (when at (.toEpochMilli at)))

(defn- parked-map [^ParkedKey parked]
  {:key (.key parked)
   :events (.events parked)
   :next-ms (epoch-millis (.next parked))
   :since-ms (epoch-millis (.since parked))
   :origin (.origin parked)
   :attempts (.attempts parked)
   :cause (.cause parked)
   :handlers (vec (.handlers parked))})

(defn parked
  "Returns a channel with a vector of the parked keys of the group, at most `max`, 100 by default: maps
  with :key, :events (how many wait), :cause, :handlers, :attempts, :origin, and :next-ms and :since-ms,
  when it is tried next and when it failed first, in milliseconds of the server's clock since 1970."
  ([topic] (parked topic 100))
  ([^Topic topic max]
   (waiting #(mapv parked-map (.parked topic (int max))))))

;; ---- calls

(defn answer
  "Lets the handlers of this member answer calls whose keys begin with a topic. Returns a channel with
  true when other members can see that."
  [e topic-name]
  (waiting #(do (.answer (redis-events e) topic-name) true)))

(defn call
  "Asks one of the members that answer calls of the key's topic, at random and at most once. Returns a
  channel with the answer, or with a failure: :no-handler at once if no member receives the request,
  :remote if a handler threw, :timeout. Options: :timeout-ms, 10000 by default."
  ([e key request] (call e key request {}))
  ([e key request {:keys [timeout-ms]}]
   (stage->channel (.call (redis-events e) key (present request)
                          (options/millis (or timeout-ms 10000))))))

(defn call-owner
  "Like `call`, but asks the member that owns the partition of the key; its handler gets the :token."
  ([e key request] (call-owner e key request {}))
  ([e key request {:keys [timeout-ms]}]
   (stage->channel (.callOwner (redis-events e) key (present request)
                               (options/millis (or timeout-ms 10000))))))

(defn late-answers
  "How many answers arrived after their call had ended."
  [e]
  (.lateAnswers (redis-events e)))

;; ---- other sources

(defn- start [e ^Source source]
  (.from (reactor e) source))

(defn- listen [^Events e ^ChannelSource source options]
  (start e (options/channel-source source (.codec e) options)))

(defn- names ^"[Ljava.lang.String;" [texts]
  (into-array String texts))

(defn from-channels
  "Brings the messages of Redis channels to the handlers, as channel/NAME: best effort, as a subscription
  is. Payloads are texts, or what the codec of the client reads. Returns a source for `stop!` and
  `health`. Options:

    :prefix             another first segment of keys
    :on-gap             (f event) for everything that is not a message, as in kermes.redis/subscribe
    :buffer, :overflow  as in kermes.redis/subscribe"
  ([e channels] (from-channels e channels {}))
  ([^Events e channels options]
   (listen e (ChannelSource/of (.redis e) (names channels)) options)))

(defn from-patterns
  "Like `from-channels`, for all channels that match one of the patterns."
  ([e patterns] (from-patterns e patterns {}))
  ([^Events e patterns options]
   (listen e (ChannelSource/patterns (.redis e) (names patterns)) options)))

(defn from-shards
  "Like `from-channels`, for shard channels."
  ([e shardchannels] (from-shards e shardchannels {}))
  ([^Events e shardchannels options]
   (listen e (ChannelSource/shards (.redis e) (names shardchannels)) options)))

(defn from-keyspace
  "Like `from-channels`, for keyspace events of these names, such as \"expired\", as keyspace/NAME/KEY. The
  payload is the key. They are hints; the server sends them if notify-keyspace-events says so."
  ([e events] (from-keyspace e events {}))
  ([^Events e events options]
   (start e (options/channel-source (ChannelSource/keyspace (.redis e) (names events)) nil options))))

(defn from-stream
  "Brings the entries of a stream that others write to the handlers, as stream/NAME, for a consumer,
  [group consumer]: at least once, in no order over several workers. The payload is {field value}.
  Returns a source for `stop!` and `health`. Options: :workers, 1 by default; :retry-after, milliseconds
  before an entry that was not acknowledged is delivered again, 60000 by default; :prefix."
  ([e group-and-consumer key] (from-stream e group-and-consumer key {}))
  ([^Events e [group consumer] key options]
   (start e (options/stream-source (StreamSource/of (.redis e) key group consumer) options))))

(defn stop!
  "Stops a source, and gives handlers `timeout-ms`, 10 seconds by default. Waits; returns the number of
  events whose handlers have not ended."
  ([source] (stop! source 10000))
  ([^RunningSource source timeout-ms]
   (.stop source (options/millis timeout-ms))))

;; ---- a look from outside

(defn- inspector ^TopicInspector [client]
  (TopicInspector/of (sending/redis-client client)))

(defn topics
  "Returns a channel with the names of all topics that the server of a client has."
  [client]
  (waiting #(vec (.topics (inspector client)))))

(defn groups
  "Returns a channel with the names of the groups of a topic."
  [client topic-name]
  (waiting #(vec (.groups (inspector client) topic-name))))

(defn- facts-map [^TopicInspector$PartitionFacts facts]
  {:partition (.number facts)
   :events (.events facts)
   :pending (.pending facts)
   :lag (when-not (neg? (.lag facts)) (.lag facts))
   :owner (not-empty (.owner facts))
   :epoch (.epoch facts)
   :parked (.parked facts)
   :dead (.dead facts)
   :delayed (.delayed facts)})

(defn facts
  "Returns a channel with a vector of maps, one for each partition of a topic in a group: :partition,
  :events (how many are kept), :pending (with the owner), :lag (not yet with it; nil if unknown), :owner,
  :epoch, :parked (keys), :dead and :delayed."
  [client topic-name group]
  (waiting #(mapv facts-map (.facts (inspector client) topic-name group))))

(comment ; with a server on localhost:6379
  (require '[kermes.redis :as redis])
  (def c (redis/connect "redis://localhost"))
  (def e (open c {:group "billing"}))
  (def done (promise))
  (on e "orders/{id}" (fn [event] (deliver done (:params event)) nil))
  (redis/<?? (topic e "orders"))
  (redis/<?? (emit e "orders/42" {:books 2}))
  @done                                                     ; => {:id "42"}
  (close! e)
  (redis/close! c))

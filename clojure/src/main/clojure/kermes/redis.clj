(ns kermes.redis
  "Redis for core.async: one function per command, each returning a channel made for one reply.

    (def c (connect \"redis://localhost\"))
    (<?? (set c \"k\" \"v\" {:ex 10 :nx true}))   ;=> \"OK\"
    (go (println (<!? (get c \"k\"))))
    (<?? (batch c [[:set \"a\" 1] [:incr \"a\"]])) ;=> [\"OK\" 2]
    (close! c)

  Besides the commands: connect, close!, dedicated, with-codec, cached; call, batch, transaction,
  watching, atomically, defscript; subscribe, psubscribe, ssubscribe, monitor, confirmed,
  payloads, unsubscribe; nil?, error?, value; <!? and <??. Scans and streams as collections are in
  kermes.redis.scan and kermes.redis.stream, codecs in kermes.redis.codec and kermes.redis.json.

  A channel cannot carry nil, so a nil reply is the value :kermes.redis/nil. A failure is an ex-info
  whose data has :kermes.redis/error: :server (with :code), :connection-lost and :timeout (with
  :may-have-executed), :queue-full, :encode, :decode, :cross-slot, :protocol, :closed. <!? and <??
  return nil for a nil reply and throw a failure. A wrong call, such as one with an unknown option,
  throws an ex-info with :arguments at once. In the results of a batch, nil is nil and failures are
  elements.

  Arguments are strings, byte arrays, numbers, keywords (written by name) and collections of them; a
  map is written as alternating keys and values. Options of a command come last, as a map with
  keyword keys: {:ex 10}, {:limit [0 10]}, {:nx true}. Closing a reply's channel cancels the command;
  a reply that has arrived can still be taken. clojure.datafy of a client shows its server, and nav
  leads to its keys and their values.

  This namespace hides clojure.core's functions of the same names: refer to it by alias."
  (:refer-clojure :only [*warn-on-reflection* cond defmacro defn defn- fn identical? if-let instance? let mapv name reify])
  (:require
   [clojure.core :as core]
   [clojure.core.async :as async]
   [clojure.core.async.impl.protocols :as impl]
   [clojure.string :as str]
   [kermes.redis.failure :as failure]
   [kermes.redis.navigation]
   [kermes.redis.options :as options]
   [kermes.redis.request :as request]
   [kermes.redis.script :as script]
   [kermes.redis.sending :as sending]
   [kermes.redis.subscription :as subscription])
  (:import
   (dev.kermes.client Command DedicatedConnection RedisClient SubscriptionOptions TransactionResult)
   (dev.kermes.commands CommandSpec)
   (java.time Duration)
   (java.util List)
   (java.util.concurrent CompletableFuture)
   (java.util.function Function)))

(set! *warn-on-reflection* true)

;; ---- values from a reply's channel

(defn error?
  "Whether a value from a reply's channel, or an element of a batch, is a failure."
  [value]
  (failure/failure? value))

(defn nil?
  "Whether a value from a reply's channel is a nil reply."
  [value]
  (identical? value ::nil))

(defn value
  "Converts a value from a reply's channel: returns nil for :kermes.redis/nil, throws a failure."
  [from-channel]
  (cond
    (identical? from-channel ::nil) nil
    (instance? Throwable from-channel) (throw from-channel)
    :else from-channel))

(defmacro <!?
  "Parks for a reply, inside a go block. Returns its value, nil for a nil reply; throws a failure."
  [ch]
  `(value (async/<! ~ch)))

(defmacro <??
  "Blocks for a reply. Returns its value, nil for a nil reply; throws a failure."
  [ch]
  `(value (async/<!! ~ch)))

;; ---- the client

(defn connect
  "Creates a client for the server given by a URL or a map. Does not wait: commands queue until the
  connection is established. A full queue is a :queue-full failure; no thread ever blocks on it.

  URLs: redis://[[user]:password@]host[:port][/database], rediss:// for TLS, redis-socket:///path,
  redis-local://name, redis-cluster://host[,host...], redis-sentinel://host[,host...]?master=name.

  As a map: {:url url}, {:host host :port port}, {:socket path}, {:local name},
  {:cluster [\"host:port\" ...]}, {:sentinel {:master name :addresses [\"host:port\" ...] :user user
  :password password}}, with any of the options:

    :user :password      the login; or :credentials, a function that returns [user password] without
                         blocking, called for every new connection
    :database            a number
    :tls                 true, or a javax.net.ssl.SSLContext
    :trust               a PEM file of the authorities to trust
    :certificate         [chain key], PEM files of the client's own certificate
    :verify-host         whether the certificate must match the host name; true by default
    :client-name         the name shown in CLIENT LIST
    :resp                3 (default, falls back to 2) or 2
    :set-info            whether to send the library's name to the server; true by default
    :timeout-ms          timeout of a command, 10000 by default; 0 for none
    :connect-timeout-ms :dead-peer-timeout-ms :backoff-first-ms :backoff-max-ms
    :queue-max           commands queued and in flight on one connection; 65536 by default
    :queue-while-disconnected  whether commands wait for a connection; true by default
    :blocking-max        connections for commands that wait in the server; 1024 by default
    :dedicated-max       connections for WATCH and the like; 128 by default
    :read-from           :master (default), :prefer-replica or :any
    :retries-max         how often a lost read-only command is sent again; 3 by default
    :topology-period-ms  period of the regular topology refresh of a cluster or sentinel
    :clock               for tests: (f) returns the nanoseconds that the timeouts of commands follow"
  ([to] (connect to {}))
  ([to options] (RedisClient/open (options/redis-options to options))))

(defn close!
  "Closes a client, whose pending commands fail with :closed; or returns a dedicated connection."
  [client]
  (.close ^java.lang.AutoCloseable (sending/sender client)))

(defn dedicated
  "Returns a channel with a connection for exclusive use; in a cluster, to the server that has `key`.
  The connection can be used instead of the client in all functions, including commands that change
  the state of a connection, such as WATCH and SELECT. Return it with close!. It does not reconnect."
  ([client] (sending/stage->channel (.dedicated (sending/redis-client client)) core/identity))
  ([client key]
   (sending/stage->channel (.dedicated (sending/redis-client client) key) core/identity)))

(defn with-codec
  "Returns a view of the client that converts values with a codec: see kermes.redis.codec. Values are
  the arguments that the documentation calls value, element, member, message, pivot or arg, and the
  corresponding bulk strings of replies; keys and fields remain text. Each value is one argument, so
  a collection is encoded, not spliced: (apply lpush c \"k\" values). Closing the view closes the
  client."
  [client codec]
  (sending/->View (sending/sender client) codec))

(defn cached
  "Returns a view of the client that caches replies of read-only commands until the server reports
  that a key has changed. Options: :ttl-ms, the longest time in the cache, 60000 by default;
  :bytes-max, its size, 16 MiB by default. datafy shows its hits and misses. Close it with close!,
  which leaves the client open. Not for transactions, subscriptions and scans."
  ([client] (cached client {}))
  ([client {:keys [ttl-ms bytes-max]}]
   (sending/through client (.cache (sending/redis-client client)
                                   (Duration/ofMillis (core/or ttl-ms 60000))
                                   (core/long (core/or bytes-max 16777216))))))

;; ---- commands as data

(core/declare makers)

(defn- make-word
  "Creates a Command; a word that is not in the command table is sent with its arguments as text."
  [word args codec]
  (if-let [maker (core/or (core/get makers word)
                          (core/get makers (core/keyword (str/lower-case (name word)))))]
    (maker args codec)
    (request/plain (name word) args)))

(defn- make
  "Creates a Command from [:set \"k\" 1], or from [script \"k\" 1]."
  ^Command [client [word & args]]
  (if-let [script (script/script-of word)]
    (script/command script args (sending/codec client))
    (make-word word args (sending/codec client))))

(defn- with-call-option [^Command command [option v]]
  (core/case option
    :timeout-ms (.withTimeout command (Duration/ofMillis v))
    :repeatable (if v (.repeatable command) command)))

(defn call
  "Sends one command given as a vector: [:set \"k\" 1 {:ex 10}]. Works for commands that are not in
  the command table, too. Options: :timeout-ms, 0 for none; :repeatable, whether executing it twice
  does no harm, so that it is sent again if its connection is lost."
  ([client command] (sending/send-command (sending/sender client) (make client command)))
  ([client command options]
   (sending/send-command (sending/sender client)
                         (core/reduce with-call-option (make client command) options))))

(defn- make-all [client vectors]
  (mapv #(make client %) vectors))

(defn batch
  "Sends commands together, each a vector as for `call` or [script & args]. Returns one channel with
  one vector: a value or a failure for each command."
  [client commands]
  (sending/stage->channel
    (sending/send-all (sending/sender client) (make-all client commands))
    (fn [results] (mapv failure/element results))))

(defn- transaction-results [^TransactionResult result]
  (if (.isAborted result) ::nil (mapv failure/element (.replies result))))

(defn transaction
  "Runs commands, each a vector as for `call`, as one MULTI … EXEC, on a separate connection or on a
  `dedicated` one. Returns one channel with one vector of values and failures, or with
  :kermes.redis/nil if the transaction was aborted."
  [client commands]
  (let [sender (sending/sender client)
        made (make-all client commands)]
    (sending/stage->channel
      (if (instance? DedicatedConnection sender)
        (.transaction ^DedicatedConnection sender made)
        (.transaction (sending/redis-client client) made))
      transaction-results)))

(defn- names ^List [channels]
  (mapv (fn [c] (core/str (if (core/ident? c) (core/symbol c) c)))
        (if (core/coll? channels) channels [channels])))

(defn- commands-stage
  "The stage of the commands that the body of `watching` returns as a vector or through a channel."
  [client given]
  (sending/then (if (core/satisfies? impl/ReadPort given)
                  (sending/commands-of given)
                  (CompletableFuture/completedFuture given))
                (fn [commands] (CompletableFuture/completedFuture (make-all client commands)))))

(defn watching
  "Runs a transaction that depends on values it reads. Watches the keys, calls `f` with a connection
  for reading, and runs the commands that `f` returns as one MULTI … EXEC. `f` returns commands as for
  `transaction`, or a channel with them. Repeats this if another client changed one of the keys in
  between; after 100 attempts the result is :kermes.redis/nil. Returns one channel, as `transaction`
  does; an exception thrown by `f`, or taken from its channel, is then the result."
  [client watched f]
  (sending/stage->channel
    (.watch (sending/redis-client client) (names watched)
            (reify Function
              (apply [_ connection]
                (commands-stage client (f (sending/through client connection))))))
    transaction-results))

(defmacro atomically
  "Runs `watching` with the body as a go block that returns the commands:

    (atomically c [\"n\"] [conn]
      [[:set \"n\" (inc (parse-long (<!? (get conn \"n\"))))]])"
  [client watched [connection] & body]
  `(watching ~client ~watched
             (core/fn [~connection]
               (async/go (try ~@body (catch Throwable e# e#))))))

(defmacro defscript
  "Defines a function [client key ... arg ...] that runs a Lua script and returns a channel for its
  result. The names in the two vectors are its parameters, and local variables of the script, with _
  for -; & collects the remaining arguments in a table. The source is a string or anything that slurp
  accepts, such as a resource. The script runs by EVALSHA, and by EVAL if the server does not have it
  yet; in a batch or a transaction, [script & args] runs by EVAL. Attributes: {:read-only true} for a
  script that replicas may run.

    (defscript add-up-to \"Adds to a counter up to a maximum.\" [counter] [by maximum]
      \"local n = math.min(tonumber(maximum), (redis.call('GET', counter) or 0) + by)
       redis.call('SET', counter, n)
       return n\")
    (<?? (add-up-to c \"visits\" 1 100))"
  {:arglists '([name doc? attributes? [key*] [arg*] source])}
  [script-name & body]
  (let [[doc body] (if (core/string? (core/first body)) [(core/first body) (core/rest body)]
                       [nil body])
        [attributes body] (if (core/map? (core/first body)) [(core/first body) (core/rest body)]
                              [{} body])
        [ks args source] body
        arglists (core/list (core/into ['client] (core/concat ks args)))]
    `(def ~(core/with-meta script-name (core/merge (core/meta script-name)
                                                   {:doc doc :arglists (core/list 'quote arglists)}))
       (script/script-fn '~ks '~args ~source ~attributes))))

;; ---- subscriptions

(defn- listen [client options subscribe]
  (let [redis (sending/redis-client client)]
    (subscription/channel redis (subscribe redis (subscription/subscription-options options))
                          (sending/codec client) options)))

(defn subscribe
  "Returns a channel with the events of one Redis channel, or of a collection of them, in order:

    {:event :message :channel c :payload p}
    {:event :confirmed :channel c}    messages published from now on arrive
    {:event :lost :cause failure}     the connection was lost: messages published from here ...
    {:event :resumed}                 ... to here do not arrive
    {:event :dropped :count n}        the reader was too slow
    {:event :refused :channel c :cause failure}

  Closing it ends the subscription, and so does a transducer that terminates early. After a loss the
  client subscribes again by itself. Options:

    :xf         a transducer, such as `payloads`; :ex-handler, for its exceptions
    :buffer     events kept for a slow reader in the channel, and as many behind it; 1024 by default
    :overflow   the policy for further events: :drop-oldest (default), :drop-newest, or :close,
                which ends the subscription with {:event :lost}"
  ([client channels] (subscribe client channels {}))
  ([client channels options]
   (listen client options
           (fn [^RedisClient redis how] (.subscribe redis (names channels)
                                                    ^SubscriptionOptions how)))))

(defn psubscribe
  "Like `subscribe`, for all channels that match a pattern or one of a collection of patterns.
  Messages also have the :pattern."
  ([client patterns] (psubscribe client patterns {}))
  ([client patterns options]
   (listen client options
           (fn [^RedisClient redis how] (.psubscribe redis (names patterns)
                                                     ^SubscriptionOptions how)))))

(defn ssubscribe
  "Like `subscribe`, for shard channels, which belong to the server that has their slot, and move with
  the slot. Since 7.0."
  ([client shardchannels] (ssubscribe client shardchannels {}))
  ([client shardchannels options]
   (listen client options
           (fn [^RedisClient redis how] (.ssubscribe redis (names shardchannels)
                                                     ^SubscriptionOptions how)))))

(defn monitor
  "Like `subscribe`, for all commands that the server executes: each is a message whose payload is the
  line of MONITOR. In a cluster, for the commands of one server. Uses a separate connection."
  ([client] (monitor client {}))
  ([client options]
   (listen client options (fn [^RedisClient redis how]
                            (.monitor redis ^SubscriptionOptions how)))))

(defn confirmed
  "Returns a channel with the subscription once the server has confirmed all of it, or with a failure
  if the server refused it."
  [subscription]
  (sending/stage->channel (subscription/confirmed subscription) (fn [_] subscription)))

(defn unsubscribe
  "Ends a subscription, as closing its channel does. Repeated calls do nothing."
  [subscription]
  (async/close! subscription))

(def ^{:arglists '([subscription])
       :doc "Ends a subscription to patterns, as closing its channel does."} punsubscribe
  unsubscribe)

(def ^{:arglists '([subscription])
       :doc "Ends a subscription to shard channels, as closing its channel does."} sunsubscribe
  unsubscribe)

(def payloads
  "A transducer from the events of a subscription to the payloads of its messages."
  (core/comp (core/filter (fn [event] (core/= :message (:event event)))) (core/map :payload)))

;; ---- one function per command

;; The names of the functions, so that editors and linters find them in the source; the functions
;; are interned below, from the command table. A test keeps this list complete.
(core/declare acl-cat acl-deluser acl-dryrun acl-genpass acl-getuser acl-help acl-list acl-load acl-log acl-save
              acl-setuser acl-users acl-whoami append arcount ardel ardelrange arget argetrange
              argrep arinfo arinsert arlastitems arlen armget armset arnext arop arring arscan
              arseek arset auth bgrewriteaof bgsave bitcount bitfield bitfield-ro bitop bitpos
              blmove blmovem blmpop blpop brpop brpoplpush bzmpop bzpopmax bzpopmin client-caching
              client-capa client-getname client-getredir client-help client-id
              client-import-source client-info client-kill client-list client-no-evict
              client-no-touch client-pause client-setinfo client-setname client-tracking
              client-trackinginfo client-unblock client-unpause command command-count command-docs
              command-getkeys command-getkeysandflags command-help command-info command-list
              commandlog-get commandlog-help commandlog-len commandlog-reset config-get
              config-help config-resetstat config-rewrite config-set copy dbsize debug decr decrby
              del delex delifeq digest discard dump echo eval eval-ro evalsha evalsha-ro exec
              exists expire expireat expiretime failover fcall fcall-ro flushall flushdb
              function-delete function-dump function-flush function-help function-kill
              function-list function-load function-restore function-stats geoadd geodist geohash
              geopos georadius georadius-ro georadiusbymember georadiusbymember-ro geosearch
              geosearchstore get getbit getdel getex getrange getset hdel hello hexists hexpire
              hexpireat hexpiretime hget hgetall hgetdel hgetex himport-discard himport-discardall
              himport-prepare himport-set hincrby hincrbyfloat hkeys hlen hmget hmset hotkeys-get
              hotkeys-help hotkeys-reset hotkeys-start hotkeys-stop hpersist hpexpire hpexpireat
              hpexpiretime hpttl hrandfield hscan hset hsetex hsetnx hstrlen httl hvals incr
              incrby incrbyfloat increx info keys lastsave latency-doctor latency-graph
              latency-help latency-histogram latency-history latency-latest latency-reset lcs
              lindex linsert llen lmove lmovem lmpop lolwut lpop lpos lpush lpushx lrange lrem
              lset ltrim memory-doctor memory-help memory-malloc-stats memory-purge memory-stats
              memory-usage mget migrate module-help module-list module-load module-loadex
              module-unload move mset msetex msetnx multi object-encoding object-freq object-help
              object-idletime object-refcount persist pexpire pexpireat pexpiretime pfadd pfcount
              pfdebug pfmerge pfselftest ping psetex psync pttl publish pubsub-channels
              pubsub-help pubsub-numpat pubsub-numsub pubsub-shardchannels pubsub-shardnumsub
              randomkey readonly readwrite rename renamenx replconf replicaof reset restore role
              rpop rpoplpush rpush rpushx sadd save scan scard script-debug script-exists
              script-flush script-help script-kill script-load script-show sdiff sdiffcard
              sdiffstore select set setbit setex setnx setrange shutdown sinter sintercard
              sinterstore sismember slaveof slowlog-get slowlog-help slowlog-len slowlog-reset
              smembers smismember smove sort sort-ro spop spublish srandmember srem sscan strlen
              substr sunion sunioncard sunionstore swapdb sync time touch ttl type unlink unwatch
              wait waitaof watch xack xackdel xadd xautoclaim xcfgset xclaim xdel xdelex
              xgroup-create xgroup-createconsumer xgroup-delconsumer xgroup-destroy xgroup-help
              xgroup-setid xidmprecord xinfo-consumers xinfo-groups xinfo-help xinfo-stream xlen
              xnack xpending xrange xread xreadgroup xrevrange xsetid xtrim zadd zcard zcount
              zdiff zdiffstore zincrby zinter zintercard zinterstore zlexcount zmpop zmscore
              zpopmax zpopmin zrandmember zrange zrangebylex zrangebyscore zrangestore zrank zrem
              zremrangebylex zremrangebyrank zremrangebyscore zrevrange zrevrangebylex
              zrevrangebyscore zrevrank zscan zscore zunion zunionstore)

(def ^:private ^{:doc "Command name as a keyword -> function from arguments to Command."} makers
  (core/into {} (core/map (fn [^CommandSpec spec]
                            [(core/keyword (request/fn-name spec)) (request/command-maker spec)]))
             (request/specs)))

(defn- command-fn [maker]
  (fn
    ([client] (sending/run-command client maker nil))
    ([client a] (sending/run-command client maker (core/list a)))
    ([client a b] (sending/run-command client maker (core/list a b)))
    ([client a b c] (sending/run-command client maker (core/list a b c)))
    ([client a b c & more] (sending/run-command client maker (core/list* a b c more)))))

(def ^:private without-function
  "Commands without exactly one reply each; the subscribing ones have functions above."
  #{"MONITOR" "QUIT" "CLIENT REPLY"
    "SUBSCRIBE" "UNSUBSCRIBE" "PSUBSCRIBE" "PUNSUBSCRIBE" "SSUBSCRIBE" "SUNSUBSCRIBE"})

(defn- intern-command [^CommandSpec spec]
  (let [fn-name (core/symbol (request/fn-name spec))]
    (core/intern 'kermes.redis
                 (core/with-meta fn-name {:doc (request/docstring spec)
                                          :arglists (request/arglists spec)
                                          :added (.since spec)
                                          :command (.name spec)})
                 (command-fn (core/get makers (core/keyword (request/fn-name spec)))))))

(core/run! intern-command
           (core/remove (fn [^CommandSpec spec] (core/contains? without-function (.name spec)))
                        (request/specs)))

(core/comment ; with a server on localhost:6379
  (def c (connect "redis://localhost"))
  (<?? (set c "k" "v" {:ex 10 :nx true}))                   ; => "OK"
  (<?? (get c "k"))                                         ; => "v"
  (<?? (batch c [[:del "n"] [:incr "n"] [:incr "n"]]))      ; => [0 1 2]
  (<?? (atomically c ["n"] [conn]
         [[:set "n" (core/inc (core/parse-long (<!? (get conn "n"))))]])) ; => ["OK"]
  (close! c))

(ns kermes.redis
  "Redis for core.async: one function per command, each returning a channel made for one reply.

    (def c (connect \"redis://localhost\"))
    (<?? (set c \"k\" \"v\" {:ex 10 :nx true}))   ;=> \"OK\"
    (go (println (<!? (get c \"k\"))))
    (<?? (batch c [[:set \"a\" 1] [:incr \"a\"]])) ;=> [\"OK\" 2]
    (close! c)

  Beside the commands: connect, close!, call, batch, transaction; nil?, error?, value; <!? and <??.

  A channel cannot carry nil, so a nil reply is the value :kermes.redis/nil; a failure is an ex-info
  whose data has :kermes.redis/error: :server (with :code), :connection-lost and :timeout (with
  :may-have-executed), :queue-full, :encode, :decode, :protocol, :closed. <!? and <?? turn the one
  into nil and throw the other. Inside a batch nil is nil and failures are elements.

  Arguments are strings, byte arrays, numbers, keywords (by name) and collections of them; a map is
  its keys and values in turn. What a command has as options comes last as a map of keywords:
  {:ex 10}, {:limit [0 10]}, {:nx true}. Closing a reply's channel cancels the command.

  This namespace hides clojure.core's functions of the same names: refer to it by alias."
  (:refer-clojure :only [defn defn- defmacro fn let if-let *warn-on-reflection*
                         instance? identical? mapv name cond reify ex-info
                         ex-message])
  (:require [clojure.core :as core]
            [clojure.core.async :as async]
            [clojure.core.async.impl.dispatch :as dispatch]
            [clojure.string :as str]
            [kermes.redis.channel :as channel]
            [kermes.redis.request :as request])
  (:import (dev.kermes.client ClientClosedException Command CommandTimeoutException
                              ConnectionLostException DecodeException EncodeException
                              QueueFullException RedisClient RedisException RedisOptions
                              RedisOptions$Builder RedisOptions$Overflow RedisProtocolException
                              ReplySink ServerErrorException TransactionResult)
           (dev.kermes.commands CommandSpec)
           (java.time Duration)
           (java.util List)
           (java.util.concurrent Executor)))

(set! *warn-on-reflection* true)

;; ---- failures

(defn- failure-data [^RedisException e]
  (cond
    (instance? ServerErrorException e) {::error :server
                                        :code (.code ^ServerErrorException e)}
    (instance? ConnectionLostException e)
    {::error :connection-lost
     :may-have-executed (.mayHaveExecuted ^ConnectionLostException e)}
    (instance? CommandTimeoutException e)
    {::error :timeout
     :may-have-executed (.mayHaveExecuted ^CommandTimeoutException e)}
    (instance? QueueFullException e) {::error :queue-full}
    (instance? EncodeException e) {::error :encode}
    (instance? DecodeException e) {::error :decode}
    (instance? RedisProtocolException e) {::error :protocol}
    (instance? ClientClosedException e) {::error :closed}
    :else {::error :cancelled}))

(defn- failure [^RedisException e]
  (ex-info (ex-message e) (failure-data e) e))

(defn error?
  "Whether a value from a reply's channel, or an element of a batch, is a failure."
  [value]
  (core/and (instance? Throwable value) (core/contains? (core/ex-data value) ::error)))

(defn nil?
  "Whether a value from a reply's channel is Redis' nil."
  [value]
  (identical? value ::nil))

(defn value
  "What a reply's channel gave, as a Clojure value: nil for :kermes.redis/nil; failures are thrown."
  [from-channel]
  (cond
    (identical? from-channel ::nil) nil
    (instance? Throwable from-channel) (throw from-channel)
    :else from-channel))

(defmacro <!?
  "Parks for a reply, inside a go block: its value, nil for a nil reply; throws a failure."
  [ch]
  `(value (async/<! ~ch)))

(defmacro <??
  "Blocks for a reply: its value, nil for a nil reply; throws a failure."
  [ch]
  `(value (async/<!! ~ch)))

;; ---- the client

(def ^:private on-async-threads
  (reify Executor
    (execute [_ task] (dispatch/run task))))

(defn- with-option [^RedisOptions$Builder builder [option v]]
  (core/case option
    :user (.user builder v)
    :password (.password builder v)
    :database (.database builder (core/int v))
    :client-name (.clientName builder v)
    :resp (.respVersion builder (core/int v))
    :timeout-ms (.commandTimeout builder (Duration/ofMillis v))
    :connect-timeout-ms (.connectTimeout builder (Duration/ofMillis v))
    :queue-max (.queueMax builder (core/int v))
    :dedicated-max (.dedicatedMax builder (core/int v))
    :queue-while-disconnected (.queuesWhileDisconnected builder (core/boolean v))
    (throw (ex-info "unknown option" {:option option}))))

(defn connect
  "A client of the server at `url` (redis://, rediss://, redis-socket://, redis-local://). Does not
  wait: commands queue until the connection stands. A full queue is a :queue-full failure, never a
  blocked thread. Options: :user :password :database :client-name :resp :timeout-ms
  :connect-timeout-ms :queue-max :dedicated-max :queue-while-disconnected."
  ([url] (connect url {}))
  ([^String url options]
   (let [builder (core/-> (RedisOptions/url url)
                          (.overflow RedisOptions$Overflow/FAIL)
                          (.executor on-async-threads))]
     (RedisClient/open (.build ^RedisOptions$Builder (core/reduce with-option builder options))))))

(defn close!
  "Closes the client; commands under way fail with :closed."
  [^RedisClient client]
  (.close client))

(defn- send-command [^RedisClient client ^Command command]
  (let [ch (channel/reply-channel failure)]
    (ch (.send client command ^ReplySink ch))
    ch))

;; ---- envelopes

(core/declare makers)

(defn- make
  "A Command from [:set \"k\" 1]; of a word that the table does not know, from its plain words."
  ^Command [command]
  (let [word (core/first command)
        args (core/next command)]
    (if-let [maker (core/or (core/get makers word)
                            (core/get makers (core/keyword (str/lower-case (name word)))))]
      (maker args)
      (request/plain (name word) args))))

(defn call
  "Sends one command given as a vector: [:set \"k\" 1 {:ex 10}]. Also for commands that the table
  does not know."
  [client command]
  (send-command client (make command)))

(defn- deliver-to [ch as-value]
  (reify java.util.function.BiConsumer
    (accept [_ result problem]
      (async/put! ch (if problem
                       (failure (if (instance? RedisException problem)
                                  problem
                                  (.getCause ^Throwable problem)))
                       (as-value result))))))

(defn- elements [^List results]
  (mapv (fn [result] (if (instance? RedisException result) (failure result) result)) results))

(defn batch
  "Sends commands, each a vector as for `call`, without a gap. One channel with one vector: a value
  or a failure for each."
  [^RedisClient client commands]
  (let [ch (async/promise-chan)]
    (.whenComplete (.sendAll client (mapv make commands)) (deliver-to ch elements))
    ch))

(defn transaction
  "Runs commands, each a vector as for `call`, as one MULTI … EXEC on a connection of its own. One
  channel with one vector of values and failures; :kermes.redis/nil when aborted."
  [^RedisClient client commands]
  (let [ch (async/promise-chan)
        results (fn [^TransactionResult r] (if (.isAborted r) ::nil (elements (.replies r))))]
    (.whenComplete (.transaction client (mapv make commands)) (deliver-to ch results))
    ch))

;; ---- one function per command

(def ^:private ^{:doc "Name as a keyword -> function from arguments to Command."} makers
  (core/into {} (core/map (fn [^CommandSpec spec]
                            [(core/keyword (request/fn-name spec)) (request/command-maker spec)]))
             (request/specs)))

(defn- command-fn [maker]
  (fn
    ([client] (send-command client (maker nil)))
    ([client a] (send-command client (maker (core/list a))))
    ([client a b] (send-command client (maker (core/list a b))))
    ([client a b c] (send-command client (maker (core/list a b c))))
    ([client a b c & more] (send-command client (maker (core/list* a b c more))))))

(defn- intern-command [^CommandSpec spec]
  (let [fn-name (core/symbol (request/fn-name spec))]
    (core/ns-unmap 'kermes.redis fn-name)
    (core/intern 'kermes.redis
                 (core/with-meta fn-name {:doc (request/docstring spec)
                                          :arglists (request/arglists spec)})
                 (command-fn (core/get makers (core/keyword (request/fn-name spec)))))))

(core/run! intern-command (core/remove request/needs-connection? (request/specs)))

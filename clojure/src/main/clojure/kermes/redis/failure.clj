(ns kermes.redis.failure
  "The client's exceptions as values: ex-info whose data has the kind of error as
  :kermes.redis/error."
  {:no-doc true}
  (:import
   (dev.kermes.client ClientClosedException CommandCancelledException CommandTimeoutException ConnectionLostException CrossSlotException DecodeException EncodeException QueueFullException RedisException RedisProtocolException ServerErrorException)
   (java.util.concurrent CompletionException)))

(set! *warn-on-reflection* true)

(defn- data [^RedisException e]
  (condp instance? e
    ServerErrorException {:kermes.redis/error :server, :code (.code ^ServerErrorException e)}
    ConnectionLostException {:kermes.redis/error :connection-lost
                             :may-have-executed (.mayHaveExecuted ^ConnectionLostException e)}
    CommandTimeoutException {:kermes.redis/error :timeout
                             :may-have-executed (.mayHaveExecuted ^CommandTimeoutException e)}
    QueueFullException {:kermes.redis/error :queue-full}
    EncodeException {:kermes.redis/error :encode}
    DecodeException {:kermes.redis/error :decode}
    CrossSlotException {:kermes.redis/error :cross-slot}
    RedisProtocolException {:kermes.redis/error :protocol}
    ClientClosedException {:kermes.redis/error :closed}
    CommandCancelledException {:kermes.redis/error :cancelled}
    {:kermes.redis/error :other}))

(defn failure
  "Converts the exception of a failed command to a value."
  [^RedisException e]
  (ex-info (ex-message e) (data e) e))

(defn of-stage
  "Converts the exception of a failed stage to a value; exceptions not from this client are returned
  unchanged."
  [^Throwable e]
  (let [cause (if (and (instance? CompletionException e) (.getCause e)) (.getCause e) e)]
    (if (instance? RedisException cause) (failure cause) cause)))

(defn failure?
  "Whether a value is a failed command."
  [value]
  (and (instance? Throwable value) (contains? (ex-data value) :kermes.redis/error)))

(defn element
  "Converts an element of a batch: a result is returned unchanged, a failure as a value."
  [result]
  (if (instance? RedisException result) (failure result) result))

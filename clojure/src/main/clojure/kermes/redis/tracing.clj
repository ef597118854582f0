(ns kermes.redis.tracing
  "Traces commands and replies for kermes.trace. It replaces the functions that send, and restores
  them afterwards; so while it is off, commands do not pass through it."
  {:no-doc true}
  (:require
   [clojure.core.async :as async]
   [kermes.redis :as redis]
   [kermes.redis.channel :as channel]
   [kermes.redis.failure :as failure]
   [kermes.redis.script :as script]
   [kermes.redis.sending :as sending]
   [kermes.trace :as trace])
  (:import
   (dev.kermes.client AsyncSender Command RedisClient ReplySink)
   (dev.kermes.resp ReplyReader)))

(set! *warn-on-reflection* true)

;; ---- commands

(defn- words [^Command command]
  (let [in (ReplyReader/over (.requestBytes command))]
    (vec (repeatedly (.readArray in) #(.readString in)))))

(defn- label
  "The text of a command, such as GET key, shortened and without passwords."
  [^Command command]
  (let [[word & args :as all] (words command)]
    (trace/line (if (#{"AUTH" "HELLO"} word) [word (when args "…")] all))))

;; ---- replies, each printed before it can be taken

(defn- reporting
  "A sink that reports the result and then passes it to the channel, both on the executor, never on
  the event loop."
  ^ReplySink [^ReplySink ch ended]
  (letfn [(report [shown pass-on]
            (fn []
              (ended shown)
              (when-let [takers (pass-on)] (.run ^Runnable takers))))]
    (reify ReplySink
      (onResult [_ result] (report result #(.onResult ch result)))
      (onFailure [_ problem] (report (failure/failure problem) #(.onFailure ch problem))))))

(defn- send-traced [sender ^Command command]
  (let [ended (trace/started (label command))]
    (if (instance? RedisClient sender)
      (let [ch (channel/reply-channel failure/failure)]
        (ch (.send ^RedisClient sender command (reporting ch ended)))
        ch)
      (sending/future->reply-channel
        (.send ^AsyncSender sender command)
        (fn [result problem] (ended (if problem (failure/of-stage problem) result)))))))

(defn- run-traced
  "Runs a script as EVAL, traced."
  [f client args]
  (sending/send-command (sending/sender client)
                        (script/command f args (sending/codec client))))

(defn- many-traced
  "Wraps `batch` or `transaction` to trace its commands and its result."
  [word send]
  (fn [client commands]
    (let [commands (vec commands)
          ended (trace/started (str word " " (trace/show commands)))
          ch (async/promise-chan)]
      (async/take! (send client commands)
                   (fn [result]
                     (ended (if (redis/nil? result) nil result))
                     (async/put! ch result)))
      ch)))

;; ---- the switch

(defonce ^:private originals (atom nil))

(defn- stand-ins [originals]
  {#'sending/send-command send-traced
   #'script/run run-traced
   #'redis/batch (many-traced "batch" (originals #'redis/batch))
   #'redis/transaction (many-traced "transaction" (originals #'redis/transaction))})

(def ^:private replaced [#'sending/send-command #'script/run #'redis/batch #'redis/transaction])

(defn- replace-all! [functions]
  (doseq [[v f] functions] (alter-var-root v (constantly f))))

(defn start!
  "Replaces the functions that send by traced ones."
  []
  (when (compare-and-set! originals nil (zipmap replaced (map deref replaced)))
    (replace-all! (stand-ins @originals))))

(defn stop!
  "Restores the functions that send."
  []
  (let [[before] (reset-vals! originals nil)]
    (replace-all! before)))

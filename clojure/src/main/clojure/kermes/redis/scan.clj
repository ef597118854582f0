(ns kermes.redis.scan
  "The SCAN family as collections that can be reduced, folded and read as channels: keys, members,
  fields, scores; to-chan.

    (into #{} (map parse-id) (keys c {:match \"user:*\"}))
    (r/fold + (r/map count (keys c)))        ; in parallel, all masters of a cluster at once
    (go (<! (to-chan (members c \"s\"))))

  A page is requested only during a reduction, and at most one page ahead. Reducing blocks for pages,
  so go blocks must use to-chan. As with SCAN itself, an element that is present all the time is
  returned at least once; one that is added or removed in the meantime may or may not be.

  This namespace hides clojure.core's `keys`: refer to it by alias."
  (:refer-clojure :exclude [keys])
  (:require
   [kermes.redis.pages :as pages]
   [kermes.redis.reply :as reply]
   [kermes.redis.request :as request]
   [kermes.redis.sending :as sending])
  (:import
   (dev.kermes.client Command Decoder)
   (dev.kermes.client.reply ScanPage)
   (dev.kermes.commands CommandTable)
   (java.util.function Function Supplier)))

(set! *warn-on-reflection* true)

(defn- page-decoder [spec codec]
  (let [[read] (reply/readers spec)
        bulk (if codec (request/bulk-reader codec) reply/text)]
    (reify Decoder
      (decode [_ in]
        (let [[cursor elements] (read in bulk)] (ScanPage. cursor elements))))))

(defn- source [^Supplier pages] #(.get pages))

(defn- scanning
  "The elements that a command of the family returns; `args` come before the cursor."
  [client word args options]
  (let [redis (sending/redis-client client)
        codec (sending/codec client)
        spec (.find (CommandTable/standard) ^String word)
        make (request/command-maker spec)
        decoder (page-decoder spec codec)
        options (merge {:count 500} options)
        step (reify Function
               (apply [_ cursor]
                 (let [command (make (concat args [cursor options]) codec)]
                   (.decodedBy ^Command command decoder))))]
    (pages/->Pages #(source (.scanPages redis step))
                   #(mapv source (pages/await-stage (.scanParts redis step)))
                   (.executor (.options redis)))))

(defn keys
  "The keys of the database; in a cluster, of all masters. Options: :match pattern, :type type,
  :count, how many keys the server examines per page, 500 by default."
  ([client] (keys client {}))
  ([client options] (scanning client "SCAN" [] options)))

(defn members
  "The members of a set. Options: :match, :count."
  ([client key] (members client key {}))
  ([client key options] (scanning client "SSCAN" [key] options)))

(defn fields
  "The [field value] pairs of a hash. Options: :match, :count."
  ([client key] (fields client key {}))
  ([client key options] (scanning client "HSCAN" [key] options)))

(defn scores
  "The [member score] pairs of a sorted set, in no order. Options: :match, :count."
  ([client key] (scores client key {}))
  ([client key options] (scanning client "ZSCAN" [key] options)))

(defn to-chan
  "Returns a channel with all elements of one of these collections, which requests pages only as fast
  as they are read. A failure is its last value. Closing it ends the scan. Options: :xf, a transducer,
  and its :ex-handler."
  ([scan] (to-chan scan {}))
  ([scan options] (pages/to-chan scan options)))

(comment ; with a server on localhost:6379
  (require '[clojure.core.reducers :as r] '[kermes.redis :as redis])
  (def c (redis/connect "redis://localhost"))
  (redis/<?? (redis/sadd c "s" "a" "b" "c"))
  (into #{} (members c "s"))                                ; => #{"a" "b" "c"}
  (r/fold + (r/map count (keys c {:match "*"})))
  (redis/close! c))

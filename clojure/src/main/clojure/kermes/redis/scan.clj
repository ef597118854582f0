(ns kermes.redis.scan
  "The SCAN family as collections to reduce, fold and read as channels: keys, members, fields, scores;
  to-chan.

    (into #{} (map parse-id) (keys c {:match \"user:*\"}))
    (r/fold + (r/map count (keys c)))        ; in parallel, all masters of a cluster at once
    (go (<! (to-chan (members c \"s\"))))

  Nothing is asked for until somebody reduces, and never more than one page ahead. Reducing waits for
  pages: not for go blocks, which use to-chan. As with SCAN itself, what is there all the time is
  seen at least once; what comes or goes meanwhile may be.

  This namespace hides clojure.core's `keys`: refer to it by alias."
  (:refer-clojure :exclude [keys])
  (:require [kermes.redis.pages :as pages]
            [kermes.redis.reply :as reply]
            [kermes.redis.request :as request]
            [kermes.redis.sending :as sending])
  (:import (dev.kermes.client Command Decoder ScanPage)
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
  "The elements of a command of the family; `args` come before the cursor."
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
  "The keys of the database, over all masters of a cluster. Options: :match pattern, :type type,
  :count, how many the server looks at for one page; 500 by default."
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
  "A channel of everything in one of these collections, at the pace of its reader; a failure comes as
  its last value. Closing it ends the scan. Options: :xf, a transducer, and its :ex-handler."
  ([scan] (to-chan scan {}))
  ([scan options] (pages/to-chan scan options)))

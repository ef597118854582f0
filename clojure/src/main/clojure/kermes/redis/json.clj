(ns kermes.redis.json
  "Values as JSON, for kermes.redis/with-codec: json, json-codec. Needs org.clojure/data.json, which
  kermes does not bring with it."
  (:require [clojure.data.json :as data]
            [kermes.redis.codec :as codec]))

(set! *warn-on-reflection* true)

(defn json-codec
  "Values as JSON. :read and :write are options of clojure.data.json, as a map each."
  [{:keys [read write]}]
  (codec/codec #(apply data/write-str % (mapcat identity write))
               #(apply data/read-str % (mapcat identity read))))

(def json "Values as JSON, keys of objects as keywords." (json-codec {:read {:key-fn keyword}}))

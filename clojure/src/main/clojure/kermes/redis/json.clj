(ns kermes.redis.json
  "Codecs of JSON, for kermes.redis/with-codec: json, json-codec. The application must add the
  dependency org.clojure/data.json."
  (:require
   [clojure.data.json :as data]
   [kermes.redis.codec :as codec]))

(set! *warn-on-reflection* true)

(defn json-codec
  "Creates a codec of JSON. :read and :write are maps with options of clojure.data.json."
  [{:keys [read write]}]
  (codec/codec #(apply data/write-str % (mapcat identity write))
               #(apply data/read-str % (mapcat identity read))))

(def json "The codec of JSON that reads keys as keywords." (json-codec {:read {:key-fn keyword}}))

(comment
  (let [^dev.kermes.client.Codec c json, encoded (.encode c {:a [1 2]})]
    (.decode c encoded 0 (alength encoded))))               ; => {:a [1 2]}

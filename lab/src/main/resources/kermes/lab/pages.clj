(ns kermes.lab.pages
  "Pages by HTTP, all requested at the same time: ways."
  (:require
   [clojure.core.async :refer [<!! >! >!! chan go put! thread thread-call]]
   [clojure.string :as str])
  (:import
   (java.net URI)
   (java.net.http HttpClient HttpClient$Version HttpRequest HttpResponse HttpResponse$BodyHandlers)
   (java.util.function BiConsumer)))

(set! *warn-on-reflection* true)

(defn- page
  "The text of page i, or an exception; blocks until it has arrived."
  [url i]
  (try
    (slurp (str url i))
    (catch Exception e e)))

(defn- go-block [url c i]
  (go (>! c (page url i))))

(defn- own-thread [url c i]
  (thread (>!! c (page url i))))

(defn- io-thread
  "Calls the macro of this name, which only newer versions of core.async have."
  [url c i]
  (thread-call #(>!! c (page url i)) :io))

(defn- virtual-thread [url c i]
  (Thread/startVirtualThread #(>!! c (page url i))))

(defn- http-client ^HttpClient []
  (.build (.version (HttpClient/newBuilder) HttpClient$Version/HTTP_1_1)))

(defn- asynchronous
  "Blocks no thread: the client calls back."
  [^HttpClient client url c i]
  (.whenComplete (.sendAsync client
                             (.build (HttpRequest/newBuilder (URI/create (str url i))))
                             (HttpResponse$BodyHandlers/ofString))
                 (reify BiConsumer
                   (accept [_ response failure]
                     (put! c (or failure (.body ^HttpResponse response)))))))

(defn- all
  "Requests n pages and waits for all of them."
  [ask n]
  (let [c (chan)]
    (dotimes [i n] (ask c i))
    (dotimes [_ n]
      (let [page (<!! c)]
        (when-not (and (string? page) (str/starts-with? page "page "))
          (throw (ex-info "no page" {:page page})))))))

(defn ways
  "Functions, by name, that get n pages, each from `url` followed by its number. io-thread exists only
  with a core.async that has it."
  [url n]
  (let [client (http-client)]
    {"go" #(all (partial go-block url) n)
     "thread" #(all (partial own-thread url) n)
     "io-thread" #(all (partial io-thread url) n)
     "virtual threads" #(all (partial virtual-thread url) n)
     "asynchronous client" #(all (partial asynchronous client url) n)}))

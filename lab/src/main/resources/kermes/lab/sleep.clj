(ns kermes.lab.sleep
  "Jobs that only sleep, all started at the same time: ways."
  (:require
   [clojure.core.async :refer [<!! >! >!! chan go thread]]))

(set! *warn-on-reflection* true)

(defn- sleep [^long millis] (Thread/sleep millis))

(defn- go-block
  "Blocks in a go block, which is a mistake: the thread that runs it sleeps as well."
  [c millis]
  (go (sleep millis) (>! c millis)))

(defn- own-thread [c millis]
  (thread (sleep millis) (>!! c millis)))

(defn- virtual-thread [c millis]
  (Thread/startVirtualThread (fn [] (sleep millis) (>!! c millis))))

(defn- all
  "Starts n jobs and waits until each has reported its end."
  [start n millis]
  (let [c (chan)]
    (dotimes [_ n] (start c millis))
    (dotimes [_ n] (<!! c))))

(defn ways
  "Functions, by name, that let n jobs sleep for this many milliseconds."
  [n millis]
  {"go" #(all go-block n millis)
   "thread" #(all own-thread n millis)
   "virtual threads" #(all virtual-thread n millis)})

(comment
  (time ((get (ways 9 10) "go"))))

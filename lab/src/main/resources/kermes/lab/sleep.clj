(ns kermes.lab.sleep
  "Jobs that do nothing but sleep, all started at once: ways."
  (:require [clojure.core.async :refer [<!! >! >!! chan go thread]]))

(set! *warn-on-reflection* true)

(defn- sleep [^long millis] (Thread/sleep millis))

(defn- go-block
  "What nobody should do: the thread under the go block sleeps as well."
  [c millis]
  (go (sleep millis) (>! c millis)))

(defn- own-thread [c millis]
  (thread (sleep millis) (>!! c millis)))

(defn- virtual-thread [c millis]
  (Thread/startVirtualThread (fn [] (sleep millis) (>!! c millis))))

(defn- all
  "Starts n jobs and waits until each has said that it is done."
  [start n millis]
  (let [c (chan)]
    (dotimes [_ n] (start c millis))
    (dotimes [_ n] (<!! c))))

(defn ways
  "By name, functions that have n jobs sleep for so many milliseconds."
  [n millis]
  {"go" #(all go-block n millis)
   "thread" #(all own-thread n millis)
   "virtual threads" #(all virtual-thread n millis)})

(comment
  (time ((get (ways 9 10) "go"))))

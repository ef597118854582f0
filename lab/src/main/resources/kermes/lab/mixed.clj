(ns kermes.lab.mixed
  "Jobs that sleep and jobs that compute, all started at the same time: ways."
  (:require
   [clojure.core.async :refer [<!! >! >!! chan go thread]]
   [kermes.lab.factors :refer [factors number]]))

(set! *warn-on-reflection* true)

(defn- sleep [^long millis] (Thread/sleep millis))

(defn- compute [times]
  (dotimes [_ times] (factors number)))

(defn- go-block [c job]
  (go (job) (>! c :done)))

(defn- own-thread [c job]
  (thread (job) (>!! c :done)))

(defn- virtual-thread [c job]
  (Thread/startVirtualThread (fn [] (job) (>!! c :done))))

(defn- all
  "Starts all jobs, the sleeping ones first, and waits for them."
  [start jobs]
  (let [c (chan)]
    (run! #(start c %) jobs)
    (dotimes [_ (count jobs)] (<!! c))))

(defn ways
  "Functions, by name, that run `sleeping` jobs of this many milliseconds and `computing` jobs that
  factorise a number this many times."
  [sleeping millis computing times]
  (let [jobs (into (vec (repeat sleeping #(sleep millis)))
                   (repeat computing #(compute times)))]
    {"go" #(all go-block jobs)
     "thread" #(all own-thread jobs)
     "virtual threads" #(all virtual-thread jobs)}))

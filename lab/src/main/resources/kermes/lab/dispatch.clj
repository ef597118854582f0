(ns kermes.lab.dispatch
  "The runtime of go blocks: versions."
  (:require
   [clojure.java.io :as io])
  (:import
   (java.util Properties)))

(set! *warn-on-reflection* true)

(defn- version-of-core-async []
  (with-open [in (io/input-stream (io/resource "META-INF/maven/org.clojure/core.async/pom.properties"))]
    (.getProperty (doto (Properties.) (.load in)) "version")))

(defn versions
  "The versions of the libraries that this Clojure has loaded, by name."
  []
  {"Clojure" (clojure-version), "core.async" (version-of-core-async)})

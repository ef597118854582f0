(ns files
  (:import
   (dev.kermes.http HttpServer StandardHttpResponses)
   (java.nio.file Files LinkOption Path)))

(defn serve
  "Serves the files below a folder; returns the server, which is to be closed."
  [^String resources]
  (doto (HttpServer. 0)
    (.onFunction "/lib/{resource}**"
      (fn [request]
        (let [path (Path/of resources (into-array String [(.pathParam request "resource")]))]
          (.respond request
            (if (Files/exists path (make-array LinkOption 0))
              (StandardHttpResponses/ok "application/octet-stream" path)
              (StandardHttpResponses/notFound))))))
    (.start)))

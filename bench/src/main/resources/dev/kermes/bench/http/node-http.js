// Streams files, as one would write it with Node: PORT FOLDER [single|cluster]
const http = require('http'), fs = require('fs'), path = require('path');
const cluster = require('cluster'), os = require('os');
const [port, folder, kind] = process.argv.slice(2);

if (kind === 'cluster' && cluster.isPrimary) {
  for (let i = 0; i < os.cpus().length; i++) cluster.fork();
} else {
  http.createServer({keepAliveTimeout: 60_000}, (request, response) => {
    const url = request.url;
    if (url.startsWith('/hello/')) {
      const text = 'Hello ' + url.substring(7);
      const length = Buffer.byteLength(text); // or else it is sent in chunks
      response.writeHead(200, {'Content-Type': 'text/plain; charset=utf-8', 'Content-Length': length});
      response.end(text);
      return;
    }
    const file = path.join(folder, path.normalize(url));
    fs.stat(file, (error, stat) => {
      if (error) {
        response.writeHead(404);
        response.end();
        return;
      }
      response.writeHead(200, {'Content-Type': 'application/octet-stream', 'Content-Length': stat.size});
      fs.createReadStream(file).pipe(response);
    });
  }).listen(+port, '127.0.0.1');
}

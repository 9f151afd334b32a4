// The bare limit for start, memory and idle processor time: Node's own HTTP server, a line and a page, nothing else.
import { createServer } from 'node:http';

const [port] = process.argv.slice(2);
createServer((request, response) => {
  const isPage = request.url === '/';
  response.writeHead(isPage || request.url === '/health' ? 200 : 404, {
    'content-type': isPage ? 'text/html' : 'text/plain',
  });
  response.end(isPage ? '<!doctype html><html><body>ok</body></html>' : 'ok\n');
}).listen(Number(port), '127.0.0.1');

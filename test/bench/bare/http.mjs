// The bare limit for start, memory and idle processor time: Node's own HTTP server and nothing else.
import { createServer } from 'node:http';

const [port] = process.argv.slice(2);
createServer((request, response) => {
  response.writeHead(request.url === '/health' ? 200 : 404, { 'content-type': 'text/plain' });
  response.end('ok\n');
}).listen(Number(port), '127.0.0.1');

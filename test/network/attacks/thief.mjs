// A Home Assistant that asks everybody to sign in, and prints all that it is sent, one JSON text a line: the headers of
// each request, and each message of a socket. It is told `{"host":"10.99.0.3","port":8123}`.
import { createServer } from 'node:http';

import { WebSocketServer } from 'ws';

const { host, port } = JSON.parse(process.argv[2] ?? '');
const say = (what) => process.stdout.write(`${JSON.stringify(what)}\n`);

const server = createServer((request, response) => {
  say({ url: request.url, headers: request.headers });
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(
    '{"name":"Home Assistant","short_name":"Assistant","start_url":"/?homescreen=1","message":"API running."}',
  );
});
const sockets = new WebSocketServer({ server, path: '/api/websocket' });
sockets.on('connection', (socket) => {
  socket.on('error', () => {});
  socket.on('message', (data) => say({ message: Buffer.from(data).toString() }));
  socket.send('{"type":"auth_required","ha_version":"2026.11.0"}');
});
server.listen(port, host, () => say({ listening: port }));

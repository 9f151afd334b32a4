import { createServer } from 'node:http';

import { WebSocketServer } from 'ws';

// A Home Assistant that signs everybody in and then sends more than a panel takes. It is told
// `{"host":"127.0.0.1","port":8123,"how":["deep"],"bytes":16000000}`: each connection gets the next of `how`. It prints
// a line when it listens, and one for each connection that asked for something.

const { host, port, how, bytes } = JSON.parse(process.argv[2] ?? '');
/** Room for what stands around. */
const room = bytes - 100;
const event = (id, text) => `{"id":${id},"type":"event","event":${text}}`;
const ways = {
  deep: (id) => event(id, '['.repeat(room)),
  closed: (id) => event(id, `${'['.repeat(room / 2)}${']'.repeat(room / 2)}`),
  objects: (id) => event(id, '{"a":'.repeat(room / 5)),
  wide: (id) => event(id, `[${'{},'.repeat(room / 3 - 1)}{}]`),
  numbers: (id) => event(id, `[${'1,'.repeat(room / 2 - 1)}1]`),
  large: (id) => event(id, `"${'a'.repeat(17 * 1024 * 1024)}"`),
  // Within every bound, again and again.
  flood: (id) => event(id, `[${'{},'.repeat(499_000)}{}]`),
  truncated: (id) => event(id, '[['.repeat(40)).slice(0, -1),
};
/** Where a flood stops by itself, so that the one who sends it lives. */
const MOST_FLOOD = 60;

let connections = 0;
const server = createServer((request, response) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(request.url === '/api/' ? '{"message":"API running."}' : '['.repeat(50_000));
});
const sockets = new WebSocketServer({ server, path: '/api/websocket', maxPayload: 1024 * 1024 });
sockets.on('connection', (socket) => {
  const way = how[connections % how.length];
  let isAsked = false;
  socket.on('error', () => {});
  socket.on('message', (data) => {
    const { id, type } = JSON.parse(String(Buffer.from(data)));
    if (type === 'auth') socket.send('{"type":"auth_ok","ha_version":"2026.11.0"}');
    // What the sign-in asks is answered in order: it is the long-lived connection that gets too much.
    else if (type.startsWith('auth/')) socket.send(`{"id":${id},"type":"result","success":true,"result":{"name":"E"}}`);
    else if (!isAsked) {
      isAsked = true;
      connections += 1;
      console.log(`${connections} ${way}`);
      const text = Buffer.from(ways[way](id));
      const send = (left) => {
        if (left > 0 && socket.readyState === 1) socket.send(text, { binary: false }, () => send(left - 1));
      };
      send(way === 'flood' ? MOST_FLOOD : 3);
    }
  });
  socket.send('{"type":"auth_required","ha_version":"2026.11.0"}');
});
server.listen(port, host, () => console.log(`listening ${server.address().port}`));

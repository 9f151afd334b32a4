// A Home Assistant that lets everybody in, hears commands and answers pings, on port 8123 of its network.
import { createServer } from 'node:http';
import { WebSocketServer } from 'ws';

const results = { get_config: { state: 'RUNNING' }, subscribe_events: null };
const server = createServer((_, response) => response.end('{}'));
new WebSocketServer({ server, path: '/api/websocket' }).on('connection', (socket) => {
  const send = (message) => socket.send(JSON.stringify(message));
  socket.on('error', () => {});
  socket.on('message', (raw) => {
    const { id, type } = JSON.parse(Buffer.concat([raw].flat()).toString());
    if (type === 'auth') send({ type: 'auth_ok', ha_version: '2026.11.0' });
    else if (type === 'ping') send({ id, type: 'pong' });
    else send({ id, type: 'result', success: type in results, result: results[type] });
  });
  send({ type: 'auth_required' });
});
server.listen(8123, '::');

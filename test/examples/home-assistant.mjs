// A small Home Assistant for the panel whose answers are recorded: one dashboard, and entities that change as they are
// asked for, always the same.
import { createServer } from 'node:http';
import { WebSocketServer } from 'ws';

const entityIds = ['light.kitchen', 'light.hall', 'sensor.power', 'sensor.temperature'];
const dashboard = {
  views: [
    {
      title: 'Kitchen',
      path: 'kitchen',
      cards: [
        { type: 'entities', entities: entityIds },
        { type: 'custom:auto-entities', filter: { include: [{ domain: 'light' }] } },
      ],
    },
  ],
};
const state = (id) => ({ entity_id: id, state: 'on', attributes: {} });

/** Results of commands by their type; of any other it is an empty list. */
const results = {
  get_config: { state: 'RUNNING', version: '2026.11.0' },
  'auth/current_user': { id: '0123456789abcdef0123456789abcdef', name: 'Panel', is_admin: false },
  get_states: entityIds.map(state),
  get_panels: { 'kitchen-panel': { component_name: 'lovelace', url_path: 'kitchen-panel', config: null } },
  'lovelace/config': dashboard,
};

function answer(socket, { id, type, entity_ids: wanted = entityIds }) {
  // Numbers of messages differ from run to run; padded, they are of one length, and so is what is counted.
  const send = (message) =>
    socket.send(JSON.stringify({ ...message, id: 0 }).replace(/0}$/, `${String(id).padStart(6)}}`));
  if (type === 'ping') return send({ type: 'pong' });
  send({ type: 'result', success: true, result: results[type] ?? [] });
  if (type !== 'subscribe_entities') return undefined;
  send({
    type: 'event',
    event: { a: Object.fromEntries(wanted.map((one) => [one, { s: 'on', a: {}, c: '', lc: 1 }])) },
  });
  for (const one of wanted) send({ type: 'event', event: { c: { [one]: { '+': { s: 'off', lc: 2 } } } } });
  return undefined;
}

/** Serves it on a free port of the loopback interface. */
export async function serveHomeAssistant() {
  const server = createServer((_, response) => response.end('<!doctype html><title>Home Assistant</title>'));
  const sockets = new WebSocketServer({ server, path: '/api/websocket' });
  sockets.on('connection', (socket) => {
    socket.send(JSON.stringify({ type: 'auth_required', ha_version: '2026.11.0' }));
    socket.on('message', (/** @type {Buffer} */ raw) => {
      for (const message of [JSON.parse(raw.toString())].flat())
        if (message.type === 'auth') socket.send(JSON.stringify({ type: 'auth_ok', ha_version: '2026.11.0' }));
        else answer(socket, message);
    });
  });
  await new Promise((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${server.address().port}`,
    stop: async () => {
      for (const socket of sockets.clients) socket.terminate();
      server.closeAllConnections();
      await new Promise((resolve) => void server.close(resolve));
    },
  };
}

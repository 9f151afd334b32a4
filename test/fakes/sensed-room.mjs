// A small Home Assistant with one area, in which are the panel and its presence sensors.
import { createServer } from 'node:http';
import { WebSocketServer } from 'ws';

/** Results of commands by their type; of any other it is null. */
const resultsFor = (panelId, states) => ({
  get_config: { state: 'RUNNING', version: '2026.11.0', latitude: 52, longitude: 5, time_zone: 'UTC' },
  'auth/current_user': { id: '0123456789abcdef0123456789abcdef', name: 'Panel', is_admin: false, is_owner: false },
  'config/area_registry/list': [{ area_id: 'hall', name: 'Hall', labels: [] }],
  'config/device_registry/list': [
    { id: 'panel', identifiers: [['mqtt', `sconce_${panelId}`]], area_id: 'hall' },
    { id: 'sensors', identifiers: [['test', 'sensors']], area_id: 'hall' },
  ],
  'config/entity_registry/list': [...states.keys()].map((id) => ({ id, entity_id: id, device_id: 'sensors' })),
  get_states: [...states].map(([id, state]) => ({
    entity_id: id,
    state,
    attributes: { device_class: 'motion', friendly_name: id },
  })),
});

/** Serves it on a free port of the loopback interface; each of the entities `entityIds` is off at first. */
export async function serveRoom(panelId, entityIds) {
  const states = new Map(entityIds.map((id) => [id, 'off']));
  const server = createServer((_, response) => response.end('{"message":"API running."}'));
  const sockets = new WebSocketServer({ server, path: '/api/websocket' });
  /** Who is sent the states: a socket, the number of its subscription, and the entities. */
  let subscriptions = [];
  const drop = (isOver) => (subscriptions = subscriptions.filter((one) => !isOver(one)));

  function answer(socket, { id, type, entity_ids: wanted = [], subscription }) {
    const send = (message) => socket.send(JSON.stringify({ id, ...message }));
    if (type === 'ping') return send({ type: 'pong' });
    if (type === 'unsubscribe_events') drop((one) => one.socket === socket && one.id === subscription);
    send({ type: 'result', success: true, result: resultsFor(panelId, states)[type] ?? null });
    if (type !== 'subscribe_entities') return undefined;
    subscriptions.push({ socket, id, wanted, send });
    const known = wanted.filter((one) => states.has(one));
    const a = Object.fromEntries(known.map((one) => [one, { s: states.get(one), a: {}, c: '', lc: 1 }]));
    return send({ type: 'event', event: { a } });
  }
  sockets.on('connection', (socket) => {
    socket.on('error', () => {});
    socket.on('close', () => drop((one) => one.socket === socket));
    socket.send(JSON.stringify({ type: 'auth_required', ha_version: '2026.11.0' }));
    socket.on('message', (raw) => {
      for (const message of [JSON.parse(Buffer.from(raw).toString())].flat())
        if (message.type === 'auth') socket.send(JSON.stringify({ type: 'auth_ok', ha_version: '2026.11.0' }));
        else answer(socket, message);
    });
  });
  await new Promise((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${server.address().port}`,
    subscriptions: () => subscriptions.length,
    set: (entityId, state) => {
      states.set(entityId, state);
      for (const { wanted, send } of subscriptions)
        if (wanted.includes(entityId))
          send({ type: 'event', event: { c: { [entityId]: { '+': { s: state, lc: Date.now() / 1000 } } } } });
    },
    stop: async () => {
      for (const socket of sockets.clients) socket.terminate();
      server.closeAllConnections();
      await new Promise((resolve) => void server.close(resolve));
    },
  };
}

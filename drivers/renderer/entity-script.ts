import { ENTITY_LEARNING } from './entity-learning.ts';

/** An id that no entity has: an empty list means all entities to Home Assistant (seen with Home Assistant 2026.11). */
const NOBODY = 'sconce.nobody';
/** Keys of a subscription that already selects entities; such a one is left alone. */
const CHOICES = ['entity_ids', 'include', 'exclude'];
/** Longest message inspected, in characters; a subscription without ids has some sixty. */
const MESSAGE_LIMIT = 4096;
/** Pause in milliseconds between two checks for a pending answer, and how many checks; 2 s in all. */
const WAIT_MS = 50;
const MOST_WAITS = 40;
/** Event that hands the page its filter. */
const GIVEN = 'sconce-entities';

/**
 * Runs at the start of Home Assistant's document, with `post` to report. It narrows the page's subscription to all
 * states, over the page's own connection, to the entities of the current dashboard, so that Home Assistant sends fewer.
 * When the dashboard or its set changes, the page reconnects. Incoming messages are not touched, and any failure here
 * leaves the page with all entities. The script does not contain the sets: they are given to this document only.
 */
export const ENTITY_SCRIPT = `{
  const here = () => location.pathname.split('/', 2)[1] ?? '';
  const report = (message) => { try { post(JSON.stringify(message)); } catch {} };
  const attempt = (work) => { try { work(); } catch {} };
  let sets = null;
  let place = here();
  const wantedHere = () => sets?.get(here()) ?? null;

  /** The set asked for by the newest subscription of each socket: a card may have a separate one. */
  const asked = new Map();
  let subscribed = false;
  let broken = false;
  const uncut = () => { if (wantedHere() !== null) report({ type: 'uncut', dashboard: here() }); };
  const isOwn = ({ url }) => { const { host, pathname } = new URL(url); return host === location.host && pathname === '/api/websocket'; };
  const subscription = (socket, data) => {
    try {
      if (typeof data !== 'string' || data.length > ${MESSAGE_LIMIT} || !data.includes('"subscribe_entities"') || !isOwn(socket)) return null;
      const message = JSON.parse(data);
      return message?.type === 'subscribe_entities' ? message : null;
    } catch { return null; }
  };
  const cut = (socket, data) => {
    const message = subscription(socket, data);
    if (message === null) return data;
    const dashboard = here();
    if (Object.keys(message).some((key) => ${JSON.stringify(CHOICES)}.some((choice) => key === choice || key.startsWith(choice + '_')))) {
      report({ type: 'entities', dashboard, asked: null, own: true });
      return data;
    }
    const wanted = wantedHere();
    for (const one of asked.keys()) if (one.readyState !== WebSocket.OPEN) asked.delete(one);
    asked.set(socket, wanted);
    [subscribed, broken] = [true, false];
    const text = wanted === null ? data : JSON.stringify({ ...message, entity_ids: wanted.length === 0 ? ['${NOBODY}'] : wanted });
    report({ type: 'entities', dashboard, asked: wanted?.length ?? null, own: false });
    return text;
  };
  try {
    const { send } = WebSocket.prototype;
    const cutting = function (data) {
      let sent = data;
      try { sent = cut(this, data); } catch { attempt(uncut); }
      return send.call(this, sent);
    };
    WebSocket.prototype.send = cutting;
    broken = WebSocket.prototype.send !== cutting;
  } catch { broken = true; }

  const same = (one, other) => one === other || (one !== null && other !== null && one.length === other.length && one.every((id, index) => id === other[index]));
  /**
   * True while an answer is pending on the socket: one-time requests, such as for the icons, are not repeated. The page
   * renews subscriptions by itself.
   */
  let waits = 0;
  const awaits = (socket) => {
    try {
      const { connection } = document.querySelector('home-assistant').hass;
      const isBusy = connection.socket === socket && [...connection.commands.values()].some((command) => !('subscribe' in command));
      waits = isBusy && waits < ${MOST_WAITS} ? waits + 1 : 0;
    } catch { waits = 0; }
    if (waits > 0) setTimeout(() => attempt(settle), ${WAIT_MS});
    return waits > 0;
  };
  const settle = () => {
    if (broken) return uncut();
    for (const [socket, wanted] of asked) {
      if (socket.readyState === WebSocket.OPEN && (same(wanted, wantedHere()) || awaits(socket))) continue;
      asked.delete(socket);
      if (socket.readyState === WebSocket.OPEN) renew(socket);
    }
  };
  const renew = (socket) => {
    try {
      const { connection } = document.querySelector('home-assistant').hass;
      if (connection.socket !== socket) return socket.close();
      // Requests made meanwhile wait for the new connection; they would fail with a lost connection otherwise.
      connection.suspendReconnectUntil?.(Promise.resolve());
      connection.reconnect(true);
    } catch { socket.close(); }
  };
  const moved = () => {
    if (here() === place) return;
    place = here();
    attempt(settle);
  };
  // The first fires at once for any move, before the frontend draws it; the others serve browsers without it.
  attempt(() => navigation.addEventListener('currententrychange', moved));
  for (const type of ['popstate', 'location-changed']) addEventListener(type, moved);

  attempt(() => {
    const { postMessage } = window.externalAppV2;
    window.externalAppV2.postMessage = (message) => {
      attempt(() => {
        if (!String(message).includes('"more_info/opened"')) return;
        const { type, payload } = JSON.parse(message);
        if (type === 'externalBus' && payload.type === 'more_info/opened') report({ type: 'opened', dashboard: here(), id: payload.payload.entity_id });
      });
      postMessage(message);
    };
  });
${ENTITY_LEARNING}
  addEventListener('${GIVEN}', ({ detail }) => attempt(() => {
    sets = detail === null ? null : new Map(detail.sets);
    attempt(() => learning(detail?.learn === true));
    settle();
  }));
}`;

/** Expression that hands a document its filter, written by `JSON.stringify`. */
export const giveFilter = (written: string): string =>
  `dispatchEvent(new CustomEvent('${GIVEN}', { detail: ${written} }))`;

import { ENTITY_LEARNING } from './entity-learning.ts';

/** An id that no entity has: Home Assistant takes an empty list for all entities (seen with Home Assistant 2026.11). */
const NOBODY = 'sconce.nobody';
/** Keys by which a subscription chooses by itself; such a one is left as it is. */
const CHOICES = ['entity_ids', 'include', 'exclude'];
/** Longest message that is looked into, in characters; a subscription without ids has some sixty. */
const MESSAGE_LIMIT = 4096;
/** Pause before it is looked again whether an answer is still to come, in milliseconds, and how often; 2 s in all. */
const WAIT_MS = 50;
const MOST_WAITS = 40;
/** Event by which the page is given its filter. */
const GIVEN = 'sconce-entities';

/**
 * Runs at the start of Home Assistant's document, with `say` to report by. The page's own subscription to all states,
 * over its own connection, asks for the entities of the dashboard that it is at only, so that Home Assistant cuts the
 * stream; where the dashboard or its set is another, the page connects anew. Nothing that comes in is touched, and what
 * fails here leaves the page with everything. The sets are not in here: they are given to this document alone.
 */
export const ENTITY_SCRIPT = `{
  const here = () => location.pathname.split('/', 2)[1] ?? '';
  const tell = (message) => { try { say(JSON.stringify(message)); } catch {} };
  const attempt = (work) => { try { work(); } catch {} };
  let sets = null;
  let place = here();
  const wantedHere = () => sets?.get(here()) ?? null;

  /** What was wanted of the newest subscription to all states of each socket: a card may have one of its own. */
  const asked = new Map();
  let subscribed = false;
  let broken = false;
  const uncut = () => { if (wantedHere() !== null) tell({ type: 'uncut', dashboard: here() }); };
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
      tell({ type: 'entities', dashboard, asked: null, own: true });
      return data;
    }
    const wanted = wantedHere();
    for (const one of asked.keys()) if (one.readyState !== WebSocket.OPEN) asked.delete(one);
    asked.set(socket, wanted);
    [subscribed, broken] = [true, false];
    const text = wanted === null ? data : JSON.stringify({ ...message, entity_ids: wanted.length === 0 ? ['${NOBODY}'] : wanted });
    tell({ type: 'entities', dashboard, asked: wanted?.length ?? null, own: false });
    return text;
  };
  try {
    const { send } = WebSocket.prototype;
    const cutting = function (data) {
      let told = data;
      try { told = cut(this, data); } catch { attempt(uncut); }
      return send.call(this, told);
    };
    WebSocket.prototype.send = cutting;
    broken = WebSocket.prototype.send !== cutting;
  } catch { broken = true; }

  const same = (one, other) => one === other || (one !== null && other !== null && one.length === other.length && one.every((id, index) => id === other[index]));
  /**
   * Whether an answer is still to come over it: what was asked once, such as for the icons, is not asked for again. A
   * subscription is renewed by the page itself.
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
      // What the page asks for meanwhile waits for the new connection: it would be told that the connection is lost.
      connection.suspendReconnectUntil?.(Promise.resolve());
      connection.reconnect(true);
    } catch { socket.close(); }
  };
  const moved = () => {
    if (here() === place) return;
    place = here();
    attempt(settle);
  };
  // The first tells of any move at once, before the frontend draws it; the others stand in where a browser has it not.
  attempt(() => navigation.addEventListener('currententrychange', moved));
  for (const type of ['popstate', 'location-changed']) addEventListener(type, moved);

  attempt(() => {
    const { postMessage } = window.externalAppV2;
    window.externalAppV2.postMessage = (message) => {
      attempt(() => {
        if (!String(message).includes('"more_info/opened"')) return;
        const { type, payload } = JSON.parse(message);
        if (type === 'externalBus' && payload.type === 'more_info/opened') tell({ type: 'opened', dashboard: here(), id: payload.payload.entity_id });
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

/** Gives the page of a document its filter, as written by `JSON.stringify`. */
export const giveFilter = (written: string): string =>
  `dispatchEvent(new CustomEvent('${GIVEN}', { detail: ${written} }))`;

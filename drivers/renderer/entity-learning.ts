/** Most ids in one report, and the pause between two reports in milliseconds. */
const BATCH = 500;
const BATCH_MS = 1000;
/** Most ids noted per dashboard, and most dashboards; more are not reported. */
const MOST_IDS = 50_000;
const MOST_DASHBOARDS = 32;
/** Most files reported per dashboard. */
const MOST_FILES = 16;
/**
 * Stacks inspected per second, on average and at most. One takes some 20 µs, and the frontend's sidebar walks through
 * all states with each change.
 */
const LOOKS = 20;
const MOST_LOOKS = 50;
/** Frames of a stack that can be the one that walks: code of a library may come before it. */
const CALLERS = 3;
/** Folders of the frontend's own scripts (frontend 20261028). */
const FRONTEND = ['/frontend_latest/', '/frontend_es5/'];

/**
 * The part of the script that learns which entities the page reads: it hands the frontend its states in a proxy. A walk
 * through all values does not count as reading them; the file of a card that does so is reported instead.
 * `entity-script.ts` includes this and provides `place`, `sets`, `report`, `attempt`, `subscribed`, `broken` and
 * `settle`.
 */
export const ENTITY_LEARNING = `
  let learns = false;
  /** By dashboard: ids reported or queued, ids queued, and files reported. */
  const noted = new Map();
  const queues = new Map();
  const files = new Map();
  let timer = null;
  const flush = () => {
    timer = null;
    const [[dashboard, queue] = []] = queues;
    if (queue === undefined) return;
    report({ type: 'read', dashboard, ids: queue.splice(0, ${BATCH}) });
    if (queue.length === 0) queues.delete(dashboard);
    if (queues.size > 0) timer = setTimeout(flush, ${BATCH_MS});
  };
  const within = (map, make) => {
    if (!map.has(place) && map.size < ${MOST_DASHBOARDS}) map.set(place, make());
    return map.get(place);
  };
  const note = (id) => {
    if (!learns || typeof id !== 'string') return;
    const ids = within(noted, () => new Set());
    if (ids === undefined || ids.has(id) || ids.size >= ${MOST_IDS} || id.length > 255 || !/^[a-z0-9_]+\\.[a-z0-9_]+$/.test(id)) return;
    ids.add(id);
    within(queues, () => [])?.push(id);
    timer ??= setTimeout(flush, ${BATCH_MS});
  };

  /** The file of the calling code; null for the frontend's own, and if it is not known. */
  const caller = () => {
    const kept = Object.getOwnPropertyDescriptor(Error, 'prepareStackTrace');
    const { stackTraceLimit } = Error;
    let names;
    try {
      Error.stackTraceLimit = 16;
      Error.prepareStackTrace = (_, sites) => sites.map((site) => site.getFileName() || /(https?:\\S+?):\\d+:\\d+\\)/.exec(site.getEvalOrigin() ?? '')?.[1]);
      const trace = {};
      Error.captureStackTrace(trace);
      names = trace.stack;
    } finally {
      if (kept === undefined) delete Error.prepareStackTrace;
      else Object.defineProperty(Error, 'prepareStackTrace', kept);
      Error.stackTraceLimit = stackTraceLimit;
    }
    if (!Array.isArray(names)) return null;
    const isFrontend = (name) => ${JSON.stringify(FRONTEND)}.some((folder) => name.startsWith(location.origin + folder));
    // Built-in functions and this script have no file.
    const name = names.filter(Boolean).slice(0, ${CALLERS}).find((one) => !isFrontend(one));
    return name?.split(/[?#]/, 1)[0].split('/').pop().replace(/[^A-Za-z0-9._-]/g, '_').slice(0, 100) || null;
  };
  let [since, walks, looks, share] = [0, 0, 0, 1];
  /** Inspects a random share of the walks: the first ones of each second may all be the frontend's own. */
  const walked = () => {
    const now = performance.now();
    if (now - since >= 1000) {
      share = Math.min(1, ${LOOKS} * (now - since) / 1000 / Math.max(1, walks));
      [since, walks, looks] = [now, 0, 0];
    }
    walks += 1;
    if (looks >= ${MOST_LOOKS} || Math.random() > share) return;
    looks += 1;
    const file = caller();
    const reported = file === null ? undefined : within(files, () => new Set());
    if (reported === undefined || reported.has(file) || reported.size >= ${MOST_FILES}) return;
    reported.add(file);
    report({ type: 'enumerated', dashboard: place, file });
  };

  /**
   * Keys that a walk has still to visit, and the last one visited. A value read right after its key is part of the
   * walk, unless the walk skipped a value before, as a walk through the keys alone does.
   */
  let [ahead, last, skips] = [0, null, false];
  const traps = {
    get: (states, key) => {
      if (key !== last || skips) attempt(() => note(key));
      last = null;
      return states[key];
    },
    has: (states, key) => {
      attempt(() => note(key));
      return key in states;
    },
    getOwnPropertyDescriptor: (states, key) => {
      skips ||= last !== null;
      last = ahead > 0 ? key : null;
      ahead = Math.max(0, ahead - 1);
      return Reflect.getOwnPropertyDescriptor(states, key);
    },
    ownKeys: (states) => {
      const keys = Reflect.ownKeys(states);
      [ahead, last, skips] = [ahead + keys.length, null, false];
      queueMicrotask(() => { [ahead, last] = [0, null]; });
      if (learns) attempt(walked);
      return keys;
    },
  };
  /** One proxy per object, and back: the frontend detects a change by identity. */
  const proxies = new WeakMap();
  const originals = new WeakMap();
  const given = (states) => {
    const original = originals.get(states) ?? states;
    if (!learns) return original;
    if (!proxies.has(original)) {
      const proxy = new Proxy(original, traps);
      proxies.set(original, proxy);
      originals.set(proxy, original);
    }
    return proxies.get(original);
  };
  const learning = (wanted) => {
    const before = learns;
    learns = wanted;
    files.clear();
    if (!learns) for (const map of [noted, queues]) map.clear();
    // Entities that were read but are in no set are reported again: the agent may have forgotten them.
    for (const [dashboard, ids] of noted) {
      const kept = new Set([...(sets?.get(dashboard) ?? []), ...(queues.get(dashboard) ?? [])]);
      for (const id of ids) if (!kept.has(id)) ids.delete(id);
    }
    const app = document.querySelector('home-assistant');
    if (learns !== before && app?.hass?.states) app._updateHass({ states: app.hass.states });
  };
  // The class itself, not the value of the promise: a polyfill of scoped registries replaces that.
  attempt(() => customElements.whenDefined('home-assistant').then(() => {
    const { prototype } = customElements.get('home-assistant');
    const update = prototype._updateHass;
    if (typeof update !== 'function') return;
    prototype._updateHass = function (change, ...rest) {
      let passed = change;
      attempt(() => {
        if (typeof change?.states !== 'object' || change.states === null) return;
        // States arrived without a subscription seen here: they come another way.
        if (!subscribed && !broken) { broken = true; settle(); }
        passed = { ...change, states: given(change.states) };
      });
      return update.call(this, passed, ...rest);
    };
  }).catch(() => {}));
`;

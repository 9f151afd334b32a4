import type { Bridge } from './bridge.ts';
import type { DocumentScript } from './document-script.ts';
import type { PageSession } from './session.ts';

/** An id that no entity has: Home Assistant takes an empty list for all entities (seen with Home Assistant 2026.11). */
const NOBODY = 'sconce.nobody';
/** Keys by which a subscription chooses by itself; such a one is left as it is. */
const CHOICES = ['entity_ids', 'include', 'exclude'];
/** Longest message that is looked into, in characters; a subscription without ids has some sixty. */
const MESSAGE_LIMIT = 4096;

const written = (ids: readonly string[] | null): string => JSON.stringify(ids?.length === 0 ? [NOBODY] : ids);

/**
 * Runs at the start of Home Assistant's document, with `say` to report by: the page's own subscription to all states,
 * over its own connection, asks for these entities only, so that Home Assistant cuts the stream. Nothing that comes in
 * is touched, and null cuts nothing.
 */
export const entityCut = (ids: readonly string[] | null): string => `{
  let wanted = ${written(ids)};
  addEventListener('sconce-entities', (event) => { wanted = event.detail; });
  const send = WebSocket.prototype.send;
  const isOwn = ({ url }) => { const { host, pathname } = new URL(url); return host === location.host && pathname === '/api/websocket'; };
  const cut = (socket, data) => {
    if (typeof data !== 'string' || data.length > ${MESSAGE_LIMIT} || !data.includes('"subscribe_entities"') || !isOwn(socket)) return data;
    const message = JSON.parse(data);
    if (message?.type !== 'subscribe_entities') return data;
    const chooses = Object.keys(message).some((key) => ${JSON.stringify(CHOICES)}.some((choice) => key === choice || key.startsWith(choice + '_')));
    if (wanted === null || chooses) { say(JSON.stringify({ type: 'entities', asked: null, own: chooses })); return data; }
    say(JSON.stringify({ type: 'entities', asked: wanted.length, own: false }));
    return JSON.stringify({ ...message, entity_ids: wanted });
  };
  WebSocket.prototype.send = function (data) {
    let told = data;
    try { told = cut(this, data); } catch {}
    return send.call(this, told);
  };
}`;

/** Lets the dashboard be sent some entities only. */
export interface EntityCut {
  /** Cuts the page that is open, without a load, and those that come; null ends it. */
  readonly apply: (ids: readonly string[] | null) => Promise<void>;
}

/** Opens it for one page. */
export const openEntityCut = (page: PageSession, bridge: Bridge, script: DocumentScript): EntityCut => {
  let applied = 'null';
  return {
    apply: async (ids) => {
      const next = written(ids);
      if (next === applied) return;
      applied = next;
      await script.place({ entities: ids });
      const context = bridge.context();
      if (context === null) return;
      const detail = `{ detail: ${next} }`;
      await page.evaluate(`dispatchEvent(new CustomEvent('sconce-entities', ${detail}))`, { context });
      // The page connects anew, and subscribes with what it is given now.
      await bridge.command('restart', {});
    },
  };
};

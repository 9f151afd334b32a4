import { isEntityId } from '#machines/kit/entity-id.ts';
import type { BrowserFact } from '#machines/renderer/events.ts';

import { at, listAt, numberAt, textAt } from './json-fields.ts';
import { ownField } from '#machines/kit/own-field.ts';

/** First part of a dashboard's path, empty for the page at `/`; Home Assistant turns names into slugs. */
const DASHBOARD = /^[\w.~%-]{0,128}$/;
/** File name of a script. */
const FILE = /^[\w.-]{1,100}$/;
/** Most ids in one report. */
const BATCH = 500;
/** Most entities that a subscription can ask for. */
const MOST_IDS = 50_000;

/**
 * Burst and rate at which reports are accepted: the page is not trusted, and no person opens dialogs faster. `read`
 * comes once a second; a burst means that some were held up on their way.
 */
const RATES: Readonly<Record<string, { readonly atOnce: number; readonly perSecond: number }>> = {
  entities: { atOnce: 20, perSecond: 5 },
  uncut: { atOnce: 5, perSecond: 1 },
  opened: { atOnce: 5, perSecond: 2 },
  read: { atOnce: 3, perSecond: 1 },
  enumerated: { atOnce: 20, perSecond: 1 },
};

/** A page's report about its entities as a fact; null if it is malformed. */
function factOf(type: string, message: unknown, moment: number): BrowserFact | null {
  const dashboard = textAt(129, message, 'dashboard');
  if (dashboard === null || !DASHBOARD.test(dashboard)) return null;
  switch (type) {
    case 'entities': {
      const asked = numberAt(message, 'asked');
      if (asked !== null && !(Number.isInteger(asked) && asked >= 0 && asked <= MOST_IDS)) return null;
      const ownChoice = at(message, 'own') === true;
      return { type: 'page.subscribed', dashboard, entities: asked, ownChoice, at: moment };
    }
    case 'uncut':
      return { type: 'page.uncut', dashboard, at: moment };
    case 'opened': {
      const entityId = at(message, 'id');
      return isEntityId(entityId) ? { type: 'page.entity-opened', dashboard, entityId, at: moment } : null;
    }
    case 'read': {
      const entityIds = [...new Set(listAt(message, 'ids').slice(0, BATCH).filter(isEntityId))];
      return entityIds.length > 0 ? { type: 'page.entities-read', dashboard, entityIds, at: moment } : null;
    }
    case 'enumerated': {
      const file = textAt(101, message, 'file');
      return file !== null && FILE.test(file) ? { type: 'page.enumerated', dashboard, file, at: moment } : null;
    }
    default:
      return null;
  }
}

/**
 * Turns reports of Home Assistant's page about its entities into facts, if they are well formed and within their rate.
 * The returned function is true for any message of these types.
 */
export function openEntityReports(now: () => number, send: (fact: BrowserFact) => void): (message: unknown) => boolean {
  /** By type: the remaining credit in thousandths of a report, and when it was counted. */
  const left = new Map<string, { readonly credit: number; readonly at: number }>();
  return (message) => {
    const type = textAt(32, message, 'type') ?? '';
    const rate = ownField(RATES, type);
    if (rate === undefined) return false;
    const moment = now();
    const full = rate.atOnce * 1000;
    const before = left.get(type) ?? { credit: full, at: moment };
    const credit = Math.min(full, before.credit + Math.max(0, moment - before.at) * rate.perSecond);
    const fact = credit >= 1000 ? factOf(type, message, moment) : null;
    left.set(type, { credit: fact === null ? credit : credit - 1000, at: moment });
    if (fact !== null) send(fact);
    return true;
  };
}

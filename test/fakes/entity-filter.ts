import type { AskOutcome } from '#actors/kit/registry.ts';
import type { EntityFilterContext, EntityFilterEvent, FilterOutcome } from '#machines/entity-filter/events.ts';
import type { Issue, Learned, Member } from '#machines/entity-filter/persisted.ts';
import { learnedOf } from '#machines/entity-filter/facts.ts';
import { withActivation, withDecision, withOverride } from '#machines/entity-filter/members.ts';
import type { NamedEvent } from '#machines/kit/actor.ts';
import type { FakeRegistry } from './registry.ts';

const domains = ['light', 'sensor', 'binary_sensor', 'switch', 'climate'] as const;
const rooms = ['kitchen', 'living_room', 'hall', 'bedroom', 'workshop'] as const;
const things = ['ceiling', 'window_contact_battery_level', 'temperature', 'motion', 'socket'] as const;

const at = 1_699_999_800_000;

const nameOf = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1).replaceAll('_', ' ');

function memberOf(index: number): Member {
  const [domain, room, thing] = [index % 5, Math.floor(index / 5) % 5, Math.floor(index / 25) % 5];
  const source = (['configuration', 'target', 'read', 'opened'] as const)[index % 4] ?? 'read';
  const place = source === 'configuration' || source === 'target';
  return {
    entityId: `${domains[domain] ?? ''}.${rooms[room] ?? ''}_${things[thing] ?? ''}_${index}`,
    ...(index % 2 === 0 && { name: nameOf(`${rooms[room] ?? ''} ${things[thing] ?? ''} ${index}`) }),
    override: index % 97 === 0 ? 'pinned' : index % 89 === 0 ? 'forced_exclude' : 'auto',
    evidence:
      index % 61 === 0
        ? []
        : [{ source, place: place ? { view: 'Ground floor', card: 'custom:mini-graph-card' } : null }],
    misses: index % 61 === 0 ? 1 : 0,
    exists: index % 83 !== 0,
  };
}

/** So many members of a dashboard, each of another kind than the one before. */
export const membersOf = (count: number): readonly Member[] => Array.from({ length: count }, (_, at_) => memberOf(at_));

/** Two issues: one that keeps the dashboard unfiltered, and one that does not. */
export const twoIssues: readonly Issue[] = [
  {
    fingerprint: '0f1e2d3c4b5a6978',
    kind: 'enumerating-card',
    blocks: true,
    place: { view: 'Ground floor', card: 'custom:auto-entities' },
    subject: null,
  },
  {
    fingerprint: 'a0b1c2d3e4f50617',
    kind: 'missing',
    blocks: false,
    place: { view: 'Garden', card: 'entities' },
    subject: 'switch.old_pump',
  },
];

/** What was learned of a dashboard, which is sent the first 24 of its members. */
export function learnedDashboard(more: Partial<Learned> = {}): Learned {
  const members = more.members ?? membersOf(24);
  return {
    dashboard: 'kitchen-panel',
    scannedAt: at,
    existing: 2013,
    members,
    issues: [],
    ignored: [],
    active: members.slice(0, 24).map(({ entityId }) => entityId),
    ...more,
  };
}

/** A filter that is in force for the dashboard on the screen. */
export function filterFacts(more: Partial<EntityFilterContext> = {}): EntityFilterContext {
  const dashboards = more.dashboards ?? [learnedDashboard()];
  return {
    account: { server: 'http://marker.test:8123', user: 'marker-user' },
    noFilter: null,
    learning: true,
    policy: { auto_static: true, auto_runtime: true },
    manual: { enabled: false, ids: [] },
    dashboards,
    dashboard: 'kitchen-panel',
    home: 'kitchen-panel',
    titles: [
      { dashboard: 'garden', title: 'Garden' },
      { dashboard: 'kitchen-panel', title: 'Kitchen' },
    ],
    showing: 'filtered',
    known: dashboards.map(({ dashboard }) => dashboard),
    revision: 1,
    sets: Object.fromEntries(
      dashboards.flatMap(({ dashboard, active }) => (active === null ? [] : [[dashboard, active]])),
    ),
    scan: null,
    scanFailure: null,
    holdSince: null,
    runtime: { modifiedSubscriptions: 1, failures: 0, directFallbacks: 0, entities: 24 },
    fault: null,
    ...more,
  };
}

/** What the filter makes of an event, as far as a page shows it, or why it does not. */
function after(facts: EntityFilterContext, event: EntityFilterEvent): EntityFilterContext | FilterOutcome {
  const put = (learned: Learned): EntityFilterContext => {
    const dashboards = facts.dashboards.map((one) => (one.dashboard === learned.dashboard ? learned : one));
    const { sets } = filterFacts({ dashboards });
    return { ...facts, dashboards, sets, showing: sets?.['kitchen-panel'] === undefined ? 'unbounded' : 'filtered' };
  };
  const of = (dashboard: string): Learned => learnedOf(facts.dashboards, dashboard);
  switch (event.type) {
    case 'entity-filter.override': {
      const made = withOverride(of(event.dashboard), event.entityIds, event.override, event.force);
      return made.ok ? put(made.learned) : made;
    }
    case 'entity-filter.decide':
      return put(withDecision(of('kitchen-panel'), event.fingerprint, event.ignored));
    case 'entity-filter.activate': {
      if (!event.confirm) return { ok: false, reason: 'confirm', message: 'Ask again with `confirm`.' };
      const made = withActivation(of(event.dashboard));
      return 'ok' in made ? made : put(made);
    }
    case 'entity-filter.policy':
      return { ...facts, policy: event.policy };
    case 'entity-filter.manual':
      return { ...facts, manual: event.manual };
    case 'entity-filter.reset':
      return event.confirm
        ? { ...facts, dashboards: [] }
        : { ok: false, reason: 'confirm', message: 'Ask again with `confirm`.' };
    case 'entity-filter.sync':
      return facts;
  }
}

/** Has a registry answer as a filter with these facts would, and as settings and a connection that work. */
export function actAsFilter(registry: FakeRegistry, facts: EntityFilterContext): void {
  let now = facts;
  const put = (next: EntityFilterContext): void => {
    now = next;
    registry.put('entity-filter', now);
  };
  put(facts);
  registry.answer = (id: string, event: NamedEvent): AskOutcome<unknown> => {
    if (id === 'settings') {
      const patch = 'patch' in event ? event.patch : {};
      const wanted = typeof patch === 'object' && patch !== null && 'dashboard_entity_learning' in patch;
      const learning = wanted && patch.dashboard_entity_learning === true;
      put({ ...now, learning, noFilter: learning ? null : 'not-chosen', showing: learning ? facts.showing : 'off' });
      return { ok: true, value: { status: 'saved', applied: [] } };
    }
    if (id === 'home-assistant') {
      const all = 'entityIds' in event && event.entityIds === null;
      const sample = { ...(all ? { frames: 412, bytes: 96_300 } : { frames: 9, bytes: 1840 }), ms: 1 };
      return { ok: true, value: { ok: true, sample } };
    }
    if (id !== 'entity-filter') return { ok: false, reason: 'absent' };
    // Asked of the filter alone, in its own words.
    const next = after(now, event as EntityFilterEvent);
    if ('ok' in next) return { ok: true, value: next };
    put(next);
    return { ok: true, value: { ok: true } };
  };
}

import { createActor, SimulatedClock } from 'xstate';
import { describe, expect, it } from 'vitest';

import { fromDriver } from '#drivers/kit/from-driver.ts';
import { emptyState } from '#machines/entity-filter/document.ts';
import type {
  EntityFilterMachineEvent,
  KeepCommand,
  ScanCommand,
  ScanInput,
  DesiredFact,
} from '#machines/entity-filter/events.ts';
import { type PersistedState, MOST_IDS } from '#machines/entity-filter/persisted.ts';
import { entityFilterMachine, SCAN_BOUND_MS } from '#machines/entity-filter/machine.ts';
import { sentTo } from '#machines/entity-filter/view.ts';
import { HOLD_MS } from '#machines/entity-filter/facts.ts';

const desired = (change: Partial<DesiredFact> = {}): DesiredFact => ({
  type: 'filter.desired',
  builtin: true,
  server: 'http://ha.test:8123',
  signedIn: true,
  live: true,
  starting: false,
  credential: 1,
  learning: true,
  home: 'wall-panel',
  ...change,
});

const house = ['light.hall', 'light.kitchen', 'sensor.attic'] as const;

/** A dashboard that shows these entities. */
const read = (dashboard: string, ids: readonly string[], change: Partial<ScanInput> = {}): ScanInput => ({
  dashboard,
  configuration: { views: [{ title: 'Hall', cards: [{ type: 'entities', entities: ids }] }] },
  isDashboard: true,
  energyIds: [],
  areas: [],
  floors: [],
  devices: [],
  entities: [],
  existing: house,
  names: [],
  ...change,
});

function start(persisted: PersistedState | null = emptyState) {
  const clock = new SimulatedClock();
  const kepts: KeepCommand[] = [];
  const scans: ScanCommand[] = [];
  const replies: { readonly requestId: string; readonly outcome: unknown }[] = [];
  let crash = (): void => {};
  const actor = createActor(
    entityFilterMachine.provide({
      actors: {
        followed: fromDriver(() => {}),
        store: fromDriver(({ onEvent }) => onEvent((command) => void kepts.push(command))),
        scanner: fromDriver(({ onEvent, guard }) => {
          onEvent((command) => void scans.push(command));
          crash = guard(() => {
            throw new Error('marker');
          });
        }),
      },
    }),
    { clock },
  );
  actor.on('reply', (reply) => void replies.push(reply));
  actor.start();
  const hear = (...events: readonly EntityFilterMachineEvent[]): void => {
    for (const event of events) actor.send(event);
  };
  if (persisted !== null) hear({ type: 'filters.recalled', persisted });
  return {
    actor,
    clock,
    scans,
    replies,
    hear,
    crash: () => crash(),
    persisted: () => kepts.at(-1)?.persisted ?? null,
    keeps: kepts,
    facts: () => actor.getSnapshot().context,
    done: (input: ScanInput, user = 'anna') =>
      hear({ type: 'scan.done', scan: scans.at(-1)?.scan ?? 0, user, input, at: clock.now() }),
    fail: () => hear({ type: 'scan.failed', scan: scans.at(-1)?.scan ?? 0, reason: 'unreachable', at: clock.now() }),
  };
}

/** Scanned once, with the home dashboard on the screen. */
function startShown() {
  const rig = start();
  rig.hear(desired());
  rig.done(read('wall-panel', ['light.hall']));
  rig.hear({ type: 'page.placed', dashboard: 'wall-panel' });
  return rig;
}

describe('the entity filter', () => {
  it.each([
    ['its document was not read', null, desired(), 'reading'],
    ['the owner did not choose it', emptyState, desired({ learning: false }), 'not-chosen'],
    ['another program shows the dashboard', emptyState, desired({ builtin: false }), 'no-renderer'],
    ['nobody is signed in', emptyState, desired({ signedIn: false }), 'signed-out'],
    ['there is no address', emptyState, desired({ server: null }), 'signed-out'],
  ])('filters, scans and holds nothing while %s', (_, persisted, fact, why) => {
    const rig = start(persisted);
    rig.hear(fact);
    expect(rig.facts()).toMatchObject({ noFilter: why, sets: null, holdSince: null, showing: 'off' });
    expect(rig.scans).toEqual([]);
  });

  it('holds the dashboard back for its first scan, and cuts it by what that found', () => {
    const rig = start();
    rig.hear(desired());
    expect(rig.facts().holdSince).not.toBeNull();
    expect(rig.scans).toEqual([{ type: 'scan.start', scan: 1, dashboard: 'wall-panel' }]);
    rig.hear({ type: 'scan.milestone', scan: 1, step: 1, entities: 3, since: 7 });
    expect(rig.facts().scan).toMatchObject({ step: 1, entities: 3, since: 7 });
    rig.done(read('wall-panel', ['light.hall']));
    expect(rig.facts()).toMatchObject({ holdSince: null, scan: null, sets: { 'wall-panel': ['light.hall'] } });
    expect(rig.persisted()?.accounts[0]).toMatchObject({ user: 'anna', dashboards: [{ dashboard: 'wall-panel' }] });
  });

  it('holds it back no longer than its bound, and says that it was not scanned', () => {
    const rig = start();
    rig.hear(desired());
    rig.clock.increment(HOLD_MS);
    expect(rig.facts()).toMatchObject({ holdSince: null, showing: 'not-scanned', sets: {} });
    rig.done(read('wall-panel', ['light.hall']));
    expect(rig.facts()).toMatchObject({ showing: 'filtered' });
  });

  it('shows a verified set at once, and scans behind it', () => {
    const { persisted } = startShown().facts();
    const rig = start(persisted);
    rig.hear(desired());
    expect(rig.facts()).toMatchObject({ holdSince: null, showing: 'filtered', sets: { 'wall-panel': ['light.hall'] } });
    expect(rig.scans).toHaveLength(1);
  });

  it('never gives a set to another account or server', () => {
    const rig = startShown();
    rig.hear(desired({ credential: 2 }));
    expect(rig.facts()).toMatchObject({ account: null, sets: {}, showing: 'not-scanned' });
    rig.done(read('wall-panel', ['light.kitchen']), 'ben');
    expect(rig.facts().sets).toEqual({ 'wall-panel': ['light.kitchen'] });
    rig.hear(desired({ credential: 2, server: 'http://other.test:8123' }));
    expect(rig.facts()).toMatchObject({ account: null, sets: {} });
    const again = start(rig.facts().persisted);
    again.hear(desired());
    expect(again.facts().account).toMatchObject({ user: 'ben' });
  });

  it('takes nothing of a scan that began before another account was signed in', () => {
    const rig = startShown();
    rig.hear({ type: 'entity-filter.sync', dashboard: null });
    const scan = rig.scans.at(-1)?.scan ?? 0;
    rig.hear(desired({ credential: 2 }));
    expect(rig.scans.at(-1)?.scan).toBe(scan + 1);
    rig.hear({ type: 'scan.done', scan, user: 'anna', input: read('wall-panel', ['light.hall']), at: 5 });
    expect(rig.facts()).toMatchObject({ account: null, sets: {} });
    rig.done(read('wall-panel', ['light.kitchen']), 'ben');
    expect(rig.facts()).toMatchObject({ account: { user: 'ben' }, sets: { 'wall-panel': ['light.kitchen'] } });
  });

  it('takes whoever signs in after the start for nobody that is known', () => {
    const { persisted } = startShown().facts();
    const rig = start(persisted);
    rig.hear(desired({ signedIn: false, credential: 1 }), desired({ credential: 2 }));
    expect(rig.facts()).toMatchObject({ account: null, sets: {} });
    rig.done(read('wall-panel', ['light.hall']));
    expect(rig.facts()).toMatchObject({ account: { user: 'anna' }, showing: 'filtered' });
  });

  it('scans each dashboard that the page comes to, and keeps their sets apart', () => {
    const rig = startShown();
    rig.hear({ type: 'page.placed', dashboard: 'kitchen' });
    expect(rig.facts()).toMatchObject({ dashboard: 'kitchen', showing: 'not-scanned' });
    rig.done(read('kitchen', ['light.kitchen']));
    expect(rig.facts().sets).toEqual({ kitchen: ['light.kitchen'], 'wall-panel': ['light.hall'] });
    rig.hear({ type: 'page.placed', dashboard: 'energy' });
    rig.done(read('energy', [], { isDashboard: false, configuration: null }));
    expect(rig.facts().showing).toBe('not-a-dashboard');
    rig.hear({ type: 'page.placed', dashboard: 'wall-panel' });
    expect(rig.facts().showing).toBe('filtered');
    expect(rig.scans.map(({ dashboard }) => dashboard)).toEqual(['wall-panel', 'kitchen', 'energy']);
  });

  it.each(['constructor', '__proto__', 'toString'])('takes %s for a path like any other', (dashboard) => {
    const rig = startShown();
    rig.hear({ type: 'page.placed', dashboard });
    expect(rig.facts()).toMatchObject({ dashboard, showing: 'not-scanned' });
    expect(sentTo(rig.facts(), dashboard)).toBeNull();
    rig.done(read(dashboard, ['light.kitchen']));
    expect(rig.facts().showing).toBe('filtered');
    expect(sentTo(rig.facts(), dashboard)).toEqual(['light.kitchen']);
    expect(sentTo(rig.facts(), 'wall-panel')).toEqual(['light.hall']);
  });

  it('finds out which dashboard the start page leads to, and remembers it', () => {
    const rig = start();
    rig.hear(desired({ home: '' }));
    expect(rig.facts().holdSince).not.toBeNull();
    expect(rig.scans).toEqual([{ type: 'scan.start', scan: 1, dashboard: '' }]);
    rig.done(read('kitchen', ['light.kitchen']));
    expect(rig.facts()).toMatchObject({ holdSince: null, dashboard: 'kitchen', showing: 'filtered' });
    const again = start(rig.facts().persisted);
    again.hear(desired({ home: '' }));
    expect(again.facts()).toMatchObject({ holdSince: null, dashboard: 'kitchen', showing: 'filtered' });
  });

  it('scans again after a failure, a silence, a change at Home Assistant, a day, and when it is asked to', () => {
    const rig = start();
    rig.hear(desired());
    rig.fail();
    expect(rig.facts()).toMatchObject({ scan: null, scanFailure: 'unreachable' });
    rig.clock.increment(3000);
    expect(rig.scans).toHaveLength(2);
    rig.clock.increment(SCAN_BOUND_MS);
    expect(rig.facts().scanFailure).toBe('no-answer');
    rig.clock.increment(10_000);
    rig.done(read('wall-panel', ['light.hall']));
    const scanned = rig.scans.length;
    rig.hear({ type: 'dashboard.changed', dashboard: 'wall-panel' });
    expect(rig.scans).toHaveLength(scanned + 1);
    rig.done(read('wall-panel', ['light.hall', 'sensor.attic']));
    expect(rig.facts().sets).toEqual({ 'wall-panel': ['light.hall', 'sensor.attic'] });
    rig.hear({ type: 'entity-filter.sync', dashboard: null });
    expect(rig.scans).toHaveLength(scanned + 2);
    rig.done(read('wall-panel', ['light.hall']));
    rig.clock.increment(86_400_000);
    expect(rig.scans).toHaveLength(scanned + 3);
  });

  it('asks for a dashboard that is gone only when it is shown again', () => {
    const rig = startShown();
    const gone = (): void =>
      rig.hear({ type: 'scan.failed', scan: rig.scans.at(-1)?.scan ?? 0, reason: 'no-answer', at: 1 });
    rig.hear({ type: 'page.placed', dashboard: 'old' });
    gone();
    expect(rig.facts().queue).toEqual(['old']);
    rig.hear({ type: 'page.placed', dashboard: 'wall-panel' });
    gone();
    rig.clock.increment(600_000);
    expect(rig.scans).toHaveLength(3);
    rig.hear({ type: 'page.placed', dashboard: 'old' });
    expect(rig.scans).toHaveLength(4);
  });

  it('scans no Home Assistant that is starting, which has a part of its entities only', () => {
    const rig = start();
    rig.hear(desired(), desired({ starting: true }));
    expect(rig.facts().scan).toBeNull();
    rig.done(read('wall-panel', ['light.hall']));
    expect(rig.facts()).toMatchObject({ dashboards: [], showing: 'not-scanned' });
    rig.hear(desired());
    expect(rig.scans).toHaveLength(2);
    rig.done(read('wall-panel', ['light.hall']));
    expect(rig.facts().sets).toEqual({ 'wall-panel': ['light.hall'] });
  });

  it('scans again at once when the connection is back', () => {
    const rig = start();
    rig.hear(desired({ live: false }));
    rig.fail();
    rig.hear(desired({ live: false }));
    expect(rig.scans).toHaveLength(1);
    rig.hear(desired());
    expect(rig.scans).toHaveLength(2);
  });

  it('drops what a scan that was given up reports', () => {
    const rig = start();
    rig.hear(desired(), desired({ learning: false }), {
      type: 'scan.done',
      scan: 1,
      user: 'anna',
      input: read('wall-panel', ['light.hall']),
      at: 5,
    });
    expect(rig.facts()).toMatchObject({ scan: null, dashboards: [] });
  });

  it('widens the set by what is opened, at once', () => {
    const rig = startShown();
    const before = rig.facts().revision;
    rig.hear({ type: 'page.entity-opened', dashboard: 'wall-panel', entityId: 'sensor.attic', at: 9 });
    expect(rig.facts().sets).toEqual({ 'wall-panel': ['light.hall', 'sensor.attic'] });
    expect(rig.facts().revision).toBe(before + 1);
    expect(rig.persisted()).toEqual(rig.facts().persisted);
  });

  it('shows a dashboard unfiltered, alone, whose card goes through all entities', () => {
    const rig = startShown();
    rig.hear({ type: 'page.placed', dashboard: 'kitchen' });
    rig.done(read('kitchen', ['light.kitchen']));
    rig.hear({ type: 'page.enumerated', dashboard: 'kitchen', file: 'all-lights.js', at: 9 });
    expect(rig.facts()).toMatchObject({ showing: 'unbounded', sets: { 'wall-panel': ['light.hall'] } });
    expect(Object.keys(rig.facts().sets ?? {})).toEqual(['wall-panel']);
  });

  it('says when the page could not be cut', () => {
    const rig = startShown();
    rig.hear({ type: 'page.subscribed', dashboard: 'wall-panel', entities: 1, ownChoice: false, at: 1 });
    expect(rig.facts()).toMatchObject({ showing: 'filtered', runtime: { modifiedSubscriptions: 1, entities: 1 } });
    rig.hear({ type: 'page.subscribed', dashboard: 'wall-panel', entities: null, ownChoice: true, at: 2 });
    expect(rig.facts()).toMatchObject({ showing: 'filtered', runtime: { modifiedSubscriptions: 1, entities: 1 } });
    rig.hear({ type: 'page.uncut', dashboard: 'wall-panel', at: 2 });
    expect(rig.facts()).toMatchObject({ showing: 'fallback', runtime: { directFallbacks: 1, entities: null } });
    rig.hear({ type: 'page.subscribed', dashboard: 'wall-panel', entities: null, ownChoice: true, at: 3 });
    expect(rig.facts()).toMatchObject({ showing: 'fallback', runtime: { directFallbacks: 1, entities: null } });
  });

  it('makes a change once the disk has it, and none that the disk refused', () => {
    const rig = startShown();
    const pin = {
      type: 'entity-filter.override',
      requestId: 'a',
      dashboard: 'wall-panel',
      entityIds: ['sensor.attic'],
      override: 'pinned',
      force: true,
    } as const;
    rig.hear(pin);
    expect(rig.facts().sets).toEqual({ 'wall-panel': ['light.hall'] });
    expect(rig.keeps.at(-1)).toMatchObject({ requestId: 'a' });
    rig.hear({ ...pin, requestId: 'b' });
    expect(rig.replies).toMatchObject([{ requestId: 'b', outcome: { reason: 'busy' } }]);
    rig.hear({ type: 'filters.persisted', requestId: 'a', failure: 'ENOSPC' });
    expect(rig.replies.at(-1)).toMatchObject({ requestId: 'a', outcome: { ok: false, reason: 'not-saved' } });
    expect(rig.facts()).toMatchObject({ fault: 'ENOSPC', sets: { 'wall-panel': ['light.hall'] } });
    // What was learned meanwhile may have carried it to the disk: that is given what is in force.
    expect(rig.keeps.at(-1)).toEqual({ type: 'filters.keep', requestId: null, persisted: rig.facts().persisted });
    rig.hear({ ...pin, requestId: 'c' }, { type: 'filters.persisted', requestId: 'c', failure: null });
    expect(rig.replies.at(-1)).toEqual({ type: 'reply', requestId: 'c', outcome: { ok: true } });
    expect(rig.facts()).toMatchObject({ fault: null, sets: { 'wall-panel': ['light.hall', 'sensor.attic'] } });
  });

  it('says of a change that it was not made where what it was made of went meanwhile', () => {
    const rig = startShown();
    rig.hear({
      type: 'entity-filter.override',
      requestId: 'a',
      dashboard: 'wall-panel',
      entityIds: ['sensor.attic'],
      override: 'pinned',
      force: true,
    });
    rig.hear(desired({ credential: 2 }), { type: 'filters.persisted', requestId: 'a', failure: null });
    expect(rig.replies).toMatchObject([{ requestId: 'a', outcome: { ok: false, reason: 'not-ready' } }]);
    expect(rig.keeps.at(-1)).toEqual({ type: 'filters.keep', requestId: null, persisted: rig.facts().persisted });
    rig.hear({ type: 'entity-filter.manual', requestId: 'b', manual: { enabled: false, ids: [] } });
    expect(rig.keeps.at(-1)).toMatchObject({ requestId: 'b' });
  });

  it('keeps what was learned while a change was on its way', () => {
    const rig = startShown();
    rig.hear(
      { type: 'entity-filter.policy', requestId: 'a', policy: { auto_static: true, auto_runtime: false } },
      { type: 'page.entity-opened', dashboard: 'wall-panel', entityId: 'sensor.attic', at: 9 },
      { type: 'filters.persisted', requestId: 'a', failure: null },
    );
    // Another policy counts at once.
    expect(rig.facts().scan).toMatchObject({ dashboard: 'wall-panel' });
    expect(rig.facts()).toMatchObject({
      policy: { auto_runtime: false },
      sets: { 'wall-panel': ['light.hall', 'sensor.attic'] },
    });
  });

  it('takes a decision for the dashboard that it was made of, also where another has the same issue', () => {
    const rig = startShown();
    for (const dashboard of ['kitchen', 'wall-panel']) {
      rig.hear({ type: 'page.placed', dashboard }, { type: 'entity-filter.sync', dashboard: null });
      rig.done(read(dashboard, [], { configuration: { strategy: { type: 'areas' } } }));
    }
    const issuesOf = (name: string) => rig.facts().dashboards.find(({ dashboard }) => dashboard === name)?.issues ?? [];
    const fingerprint = issuesOf('kitchen')[0]?.fingerprint ?? '';
    rig.hear(
      { type: 'entity-filter.decide', requestId: 'a', fingerprint, ignored: true },
      { type: 'filters.persisted', requestId: 'a', failure: null },
    );
    const ignored = rig.facts().dashboards.flatMap((one) => (one.ignored.length > 0 ? [one.dashboard] : []));
    expect(ignored).toEqual(['kitchen']);
  });

  it('tells an issue that there is none of from an entity that it does not know', () => {
    const rig = startShown();
    rig.hear({ type: 'entity-filter.sync', dashboard: null });
    rig.done(read('wall-panel', ['light.hall']));
    rig.hear({ type: 'entity-filter.decide', requestId: 'a', fingerprint: '0'.repeat(16), ignored: true });
    rig.hear({
      type: 'entity-filter.override',
      requestId: 'b',
      dashboard: 'wall-panel',
      entityIds: ['light.nowhere'],
      override: 'auto',
      force: false,
    });
    expect(rig.replies.slice(-2)).toMatchObject([
      { requestId: 'a', outcome: { ok: false, reason: 'unknown-issue' } },
      { requestId: 'b', outcome: { ok: false, reason: 'unknown' } },
    ]);
  });

  it('lets nobody ignore that there is more than can be looked through: what was found is a part', () => {
    const rig = startShown();
    rig.hear({ type: 'entity-filter.sync', dashboard: null });
    const existing = Array.from({ length: MOST_IDS + 1 }, (_, at) => `light.number_${at}`);
    rig.done(read('wall-panel', ['light.hall'], { existing }));
    const issue = rig.facts().dashboards[0]?.issues.find(({ blocks }) => blocks);
    expect(issue?.kind).toBe('too-large');
    const fingerprint = issue?.fingerprint ?? '';
    rig.hear({ type: 'entity-filter.decide', requestId: 'a', fingerprint, ignored: true });
    expect(rig.replies.at(-1)).toMatchObject({ requestId: 'a', outcome: { ok: false, reason: 'not-ready' } });
    expect(rig.facts()).toMatchObject({ sets: {}, showing: 'unbounded' });
  });

  it('asks before it forgets, keeps what is sent unless told otherwise, and scans anew', () => {
    const rig = startShown();
    rig.hear({ type: 'entity-filter.reset', requestId: 'a', confirm: false, clearFilter: false });
    expect(rig.replies.at(-1)).toMatchObject({ outcome: { ok: false, reason: 'confirm' } });
    const scans = rig.scans.length;
    rig.hear(
      { type: 'entity-filter.reset', requestId: 'b', confirm: true, clearFilter: false },
      { type: 'filters.persisted', requestId: 'b', failure: null },
    );
    expect(rig.facts()).toMatchObject({ sets: { 'wall-panel': ['light.hall'] }, dashboards: [{ members: [] }] });
    expect(rig.scans).toHaveLength(scans + 1);
    rig.done(read('wall-panel', ['light.kitchen']));
    rig.hear(
      { type: 'entity-filter.reset', requestId: 'c', confirm: true, clearFilter: true },
      { type: 'filters.persisted', requestId: 'c', failure: null },
    );
    expect(rig.facts()).toMatchObject({ sets: {}, dashboards: [], holdSince: null });
  });

  it('forgets nothing of an account while it is not known whose dashboards these are', () => {
    const rig = startShown();
    rig.hear(desired({ credential: 2 }));
    rig.hear({ type: 'entity-filter.reset', requestId: 'a', confirm: true, clearFilter: true });
    expect(rig.replies.at(-1)).toMatchObject({ outcome: { ok: false, reason: 'not-ready' } });
    expect(rig.facts().persisted?.accounts).toMatchObject([
      { user: 'anna', dashboards: [{ dashboard: 'wall-panel' }] },
    ]);
  });

  it('sends every dashboard the owner’s own list where nothing is learned', () => {
    const rig = start();
    rig.hear(
      desired({ learning: false }),
      {
        type: 'entity-filter.manual',
        requestId: 'a',
        manual: { enabled: true, ids: ['light.b', 'light.a', 'light.a'] },
      },
      { type: 'filters.persisted', requestId: 'a', failure: null },
    );
    expect(rig.facts()).toMatchObject({ noFilter: null, sets: { 'wall-panel': ['light.a', 'light.b'] } });
    expect(rig.scans).toEqual([]);
  });

  it('fails with the name of what crashed', () => {
    const rig = start();
    rig.crash();
    expect(rig.actor.getSnapshot()).toMatchObject({
      status: 'done',
      output: { ended: 'failed', reason: 'scanner' },
    });
  });
});

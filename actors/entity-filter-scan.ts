import { createHash } from 'node:crypto';

import { fromDriver } from '#drivers/kit/from-driver.ts';
import type { ScanCommand, ScanFact, ScanFailure, ScanInput } from '#machines/entity-filter/events.ts';
import type { Reading, Topic } from '#machines/home-assistant/events.ts';
import type { EpochMs, Milliseconds } from '#machines/kit/units.ts';

import type { Registry } from './kit/registry.ts';

export interface ScanDeps {
  readonly registry: Pick<Registry, 'ask' | 'tell' | 'listen' | 'follow'>;
  readonly now: () => EpochMs;
}

/** Longest wait for one reading: connecting, the token, and the answer. */
const READ_MS: Milliseconds = 22_000;
/** Most dashboards that are watched: the limit of topics per watcher, beside the list of all. */
const WATCHED = 7;
const WATCHER = 'entity-filter';

type ReadingOf<K extends Reading['kind']> = Extract<Reading, { readonly kind: K }>;
/** All readings, or the failure; null if a newer scan has begun. */
type Gathered =
  | { readonly ok: true; readonly readings: readonly Reading[] }
  | { readonly ok: false; readonly reason: ScanFailure }
  | null;

const ofKind = <K extends Reading['kind']>(readings: readonly Reading[], kind: K): ReadingOf<K> | undefined =>
  readings.find((reading): reading is ReadingOf<K> => reading.kind === kind);

/** What every scan reads, each list once; the account comes first, since dashboards differ per user. */
const topicsOf = (dashboard: string): readonly Topic[] => [
  { kind: 'account' },
  { kind: 'dashboard', path: dashboard },
  { kind: 'entity-ids' },
  { kind: 'entities' },
  { kind: 'devices' },
  { kind: 'areas' },
  { kind: 'floors' },
];

/** The result of a scan; null if a reading is missing. */
function scannedOf(readings: readonly Reading[]): { readonly user: string; readonly input: ScanInput } | null {
  const account = ofKind(readings, 'account');
  const dashboard = ofKind(readings, 'dashboard');
  const existing = ofKind(readings, 'entity-ids');
  const entities = ofKind(readings, 'entities');
  const devices = ofKind(readings, 'devices');
  const areas = ofKind(readings, 'areas');
  const floors = ofKind(readings, 'floors');
  if (!account || !dashboard || !existing || !entities || !devices || !areas || !floors) return null;
  return {
    user: account.userId,
    input: {
      dashboard: dashboard.path,
      configuration: dashboard.configuration,
      isDashboard: dashboard.origin !== 'other',
      energyIds: ofKind(readings, 'energy')?.entityIds ?? [],
      areas: areas.areas,
      floors: floors.floors,
      devices: devices.devices,
      entities: entities.entities,
      existing: existing.entityIds,
      names: existing.names,
    },
  };
}

const textOf = ({ origin, configuration }: ReadingOf<'dashboard'>): string => JSON.stringify([origin, configuration]);
const digestOf = (reading: ReadingOf<'dashboard'>): string =>
  createHash('sha256').update(textOf(reading)).digest('base64');

/**
 * Reads a dashboard and the registries that resolve its entities, one after another over the shared connection to Home
 * Assistant. Watches the dashboards of the newest scans, and the titles of all, for changes.
 */
export const entityFilterScan = ({ registry, now }: ScanDeps) =>
  fromDriver<ScanCommand, undefined, ScanFact>(({ signal, send, onEvent, guard }) => {
    let newest = 0;
    let user: string | null = null;
    /** Digest of each watched dashboard; that of the newest scan comes last. */
    const watched = new Map<string, string>();

    const watch = (): void => {
      const dashboards = [...watched.keys()].map((path) => ({ kind: 'dashboard' as const, path }));
      const topics: readonly Topic[] = watched.size === 0 ? [] : [{ kind: 'dashboards' }, ...dashboards];
      registry.tell('home-assistant', { type: 'home-assistant.watch', watcher: WATCHER, topics });
    };
    const noteScanned = (scannedUser: string, reading: ReadingOf<'dashboard'>): void => {
      if (scannedUser !== user) watched.clear();
      user = scannedUser;
      watched.delete(reading.path);
      watched.set(reading.path, digestOf(reading));
      for (const oldest of [...watched.keys()].slice(0, -WATCHED)) watched.delete(oldest);
      // Each is read out at once, so a change during the scan is noticed too.
      watch();
    };

    const gather = async (
      topics: readonly Topic[],
      isCurrent: () => boolean,
      onRead: (reading: Reading) => void,
    ): Promise<Gathered> => {
      const readings: Reading[] = [];
      for (const topic of topics) {
        const asked = await registry.ask('home-assistant', { type: 'home-assistant.read', topic }, READ_MS);
        if (!isCurrent()) return null;
        if (!asked.ok) return { ok: false, reason: 'no-answer' };
        if (!asked.value.ok) return { ok: false, reason: asked.value.reason };
        const { reading } = asked.value;
        if (reading.kind !== topic.kind) return { ok: false, reason: 'no-answer' };
        readings.push(reading);
        onRead(reading);
      }
      return { ok: true, readings };
    };

    const run = async ({ scan, dashboard }: ScanCommand): Promise<void> => {
      newest = scan;
      const since = now();
      const isCurrent = (): boolean => scan === newest && !signal.aborted;
      const tellEntities = (reading: Reading): void => {
        if (reading.kind === 'entity-ids')
          send({ type: 'scan.milestone', scan, step: 1, entities: reading.entityIds.length, since });
      };
      const fail = (reason: ScanFailure): void => send({ type: 'scan.failed', scan, reason, at: now() });

      send({ type: 'scan.milestone', scan, step: 1, entities: 0, since });
      const first = await gather(topicsOf(dashboard), isCurrent, tellEntities);
      if (first === null) return;
      if (!first.ok) return fail(first.reason);
      const shown = ofKind(first.readings, 'dashboard');
      // The cards of the energy dashboard name no entities; its preferences do.
      const hasEnergy = shown !== undefined && textOf(shown).includes('energy');
      const rest = await gather(hasEnergy ? [{ kind: 'energy' }] : [], isCurrent, () => {});
      if (rest === null) return;
      if (!rest.ok) return fail(rest.reason);
      const scanned = scannedOf([...first.readings, ...rest.readings]);
      if (shown === undefined || scanned === null) return fail('no-answer');
      send({ type: 'scan.milestone', scan, step: 2, entities: scanned.input.existing.length, since });
      noteScanned(scanned.user, shown);
      send({ type: 'scan.done', scan, ...scanned, at: now() });
    };

    const ends = [
      registry.listen(
        'home-assistant',
        'home-assistant.read-out',
        guard(({ reading }) => {
          if (reading.kind === 'dashboards' && watched.size > 0)
            send({
              type: 'dashboards.listed',
              titles: reading.dashboards.map(({ path, title }) => ({ dashboard: path, title })),
            });
          if (reading.kind !== 'dashboard') return;
          const known = watched.get(reading.path);
          const digest = digestOf(reading);
          if (known === undefined || known === digest) return;
          watched.set(reading.path, digest);
          send({ type: 'dashboard.changed', dashboard: reading.path });
        }),
      ),
      // A connection that restarted has forgotten its watchers.
      registry.follow(
        'home-assistant',
        (snapshot) => snapshot !== undefined,
        guard((isThere: boolean) => {
          if (isThere && watched.size > 0) watch();
        }),
      ),
    ];
    onEvent(run);
    return () => {
      for (const end of ends) end();
      if (watched.size === 0) return;
      watched.clear();
      watch();
    };
  });

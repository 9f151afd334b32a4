import type { PanelFacts } from '#machines/backup/archive.ts';
import type { EpochMs, Milliseconds } from '#machines/kit/units.ts';

import { originsOf } from '../config-copies/origin.ts';
import type { Registry } from '../kit/registry.ts';
import type { BackupDrivers } from './drivers.ts';

/** Stands among what could not be read for everything that the store has: it does not answer. */
export const WHOLE_STATE = 'state';

/** How long the store may take to read every section: some are in files of their own. */
const SNAPSHOT_MS: Milliseconds = 10_000;

export interface PanelFactsDeps {
  readonly registry: Pick<Registry, 'ask' | 'read'>;
  readonly drivers: Pick<BackupDrivers, 'files' | 'profiles'>;
  readonly now: () => EpochMs;
  /** Version of this agent (semantic versioning). */
  readonly version: string;
}

/** Every stored section as of one moment; none if the store does not answer: the document then counts as unreadable. */
async function readSections(
  registry: PanelFactsDeps['registry'],
): Promise<Pick<PanelFacts, 'sections' | 'unreadable'>> {
  const asked = await registry.ask('store', { type: 'store.snapshot' }, SNAPSHOT_MS);
  if (!asked.ok || !asked.value.ok) return { sections: {}, unreadable: [WHOLE_STATE] };
  const { sections, unreadable } = asked.value;
  return { sections, unreadable };
}

async function readProfiles({ profiles }: PanelFactsDeps['drivers']): Promise<PanelFacts['profiles']> {
  const record = profiles.readRecord();
  const revisions: { id: string; revision: string; yaml: string }[] = [];
  for (const name of await profiles.list()) {
    // oxlint-disable-next-line no-await-in-loop -- one file after another, so that few are open
    const found = await profiles.read(name);
    // A damaged one is of no use to any panel.
    if (found.state === 'read') revisions.push({ ...name, yaml: new TextDecoder().decode(found.value) });
  }
  return { record: record.state === 'read' ? record.value : null, revisions };
}

/** Everything of this panel that an archive may hold, or that a restore is compared with; it has secrets. */
export async function readPanelFacts({ registry, drivers, now, version }: PanelFactsDeps): Promise<PanelFacts> {
  const [{ sections, unreadable }, filter, profiles] = await Promise.all([
    readSections(registry),
    drivers.files.filter(),
    readProfiles(drivers),
  ]);
  const identity = registry.read('identity')?.context;
  return {
    sections,
    unreadable: [...unreadable, ...(filter.state === 'damaged' ? ['entity-filter'] : [])],
    filter: filter.state === 'read' ? filter.value : null,
    profiles,
    panelId: identity?.panelId ?? '',
    friendlyName: identity?.friendlyName ?? '',
    origin: originsOf(sections['identity']),
    version,
    at: now(),
  };
}

import { createHash } from 'node:crypto';

import { archiveOf } from '#actors/backup/archive-of.ts';
import { planRestore, type RestorePlan } from '#actors/backup/plan.ts';
import { type Archive, type PanelFacts, readArchive } from '#machines/backup/archive.ts';
import type { PersistedState } from '#machines/entity-filter/persisted.ts';
import { withAssignments } from '#machines/kit/recipient.ts';
import { firstRecord } from '#machines/profile-catalog/activation.ts';
import { recipientNamed } from '#machines/settings/assign.ts';
import { type Configuration, defaultConfiguration } from '#machines/settings/merge.ts';
import { withChanges } from '#machines/settings/stored.ts';
import { otherConfiguration } from '#test/fakes/other-values.ts';

export const origins = { here: 'a'.repeat(64), there: 'b'.repeat(64) } as const;

const yaml = 'schema: 2\nid: hall.made\n';
export const revision = { id: 'hall.made', revision: createHash('sha256').update(yaml).digest('hex'), yaml };

/** The sections of a configuration: each secret is for the recipient that the settings name. */
export function configured(configuration: Configuration): Pick<PanelFacts['sections'], 'settings' | 'secrets'> {
  const { settings, secrets } = withChanges({ settings: null, secrets: null }, configuration, 4);
  const assignments = Object.keys(configuration.secrets).map(
    (key) => [key, { id: 'first', recipient: recipientNamed(configuration, key), by: 'save' as const, at: 1 }] as const,
  );
  return { settings, secrets: withAssignments(secrets, new Map(assignments)) };
}

const member = (entityId: string, override: 'auto' | 'pinned' | 'forced_exclude') => ({
  entityId,
  override,
  evidence: override === 'forced_exclude' ? [] : [{ source: 'configuration' as const, place: null }],
  misses: 0,
  exists: true,
});

export const account = { server: 'http://homeassistant.invalid:8123', user: 'user-one' } as const;

export const filter: PersistedState = {
  version: 1,
  policy: { auto_static: true, auto_runtime: false },
  manual: { enabled: false, ids: ['light.hall', 'sun.sun'] },
  accounts: [
    {
      ...account,
      start: 'lovelace',
      dashboards: [
        {
          dashboard: 'lovelace',
          scannedAt: 90,
          existing: 12,
          members: [
            member('light.cellar', 'forced_exclude'),
            member('light.hall', 'auto'),
            member('sensor.hall', 'pinned'),
          ],
          issues: [],
          ignored: ['0123456789abcdef'],
          active: ['light.hall', 'sensor.hall'],
        },
      ],
    },
  ],
};

const announcedOf = (panelId: string, ...keys: readonly string[]) => ({
  version: 1,
  devices: [
    {
      panelId,
      prefix: 'homeassistant',
      entries: keys.map((key) => ({ key, platform: 'sensor', standing: 'here' })),
    },
  ],
});

/** Every stored section, with text that shows where it went. */
const sections = {
  identity: { installId: 'c'.repeat(32), fingerprint: null, fingerprints: [], autoPanelId: 'hall_auto' },
  home_assistant: { version: 1, from: 'marker-of-home-assistant' },
  broker: { version: 1, from: 'marker-of-broker' },
  history: { version: 1, entries: [{ at: 1, kind: 'command', by: 'marker-of-history', code: 'x', times: 1 }] },
  relay1: { version: 1, from: 'marker-of-relay' },
  panel: { version: 1, from: 'marker-of-screen' },
  'auto-sleep': { version: 1, from: 'marker-of-auto-sleep' },
  'auto-brightness': { version: 1, from: 'marker-of-auto-brightness' },
  reset: { version: 1, state: 'done', scope: 'connection', by: 'http', at: 5, left_behind: 0 },
  'auto-sleep-sources': { version: 1, excluded: ['d'.repeat(64)] },
  proximity: { version: 1, calibrations: [{ near: 900, clear: 40 }] },
  setup: { version: 1, answers: { broker: 'later' }, reached_at: 7 },
  announced: announcedOf('hall', 'screen', 'volume'),
};

/** A panel with everything: all settings changed, signed in, calibrated, with a profile of its own. */
export function fullPanel(change: Partial<PanelFacts> = {}): PanelFacts {
  const full = otherConfiguration();
  return {
    sections: { ...sections, ...configured(full) },
    unreadable: [],
    filter,
    profiles: {
      record: { ...firstRecord, selection: { mode: 'pinned', id: revision.id, revision: revision.revision } },
      revisions: [revision],
    },
    panelId: String(full.values['panel_id']),
    friendlyName: String(full.values['friendly_name']),
    origin: [origins.here],
    version: '0.2.0',
    at: 1000,
    ...change,
  };
}

/** A panel right after its first start. */
export function newPanel(change: Partial<PanelFacts> = {}): PanelFacts {
  return {
    sections: {
      ...configured(defaultConfiguration),
      identity: { installId: 'e'.repeat(32), fingerprint: null, fingerprints: [], autoPanelId: 'panel_eeee' },
      announced: announcedOf('panel_eeee', 'screen'),
      restore: { version: 1, state: 'ordered', by: 'http', at: 2000 },
    },
    unreadable: [],
    filter: null,
    profiles: { record: null, revisions: [] },
    panelId: 'panel_eeee',
    friendlyName: 'Panel eeee',
    origin: [origins.there],
    version: '0.2.0',
    at: 2000,
    ...change,
  };
}

const encoder = new TextEncoder();

/** The archive of a panel, through its text; throws if it is refused. */
export function archived(facts: PanelFacts, options = { secrets: true, companion: true }): Archive {
  const made = archiveOf(facts, options);
  if ('tooLarge' in made) throw new Error(`the archive is too large: ${made.tooLarge}`);
  const read = readArchive(new Map(made.entries.map(({ name, text }) => [name, encoder.encode(text)])));
  if ('refused' in read) throw new Error(read.message);
  return read.archive;
}

/** Where a panel restores an archive, as its plan says. */
export type Where = 'this-machine' | 'another-machine' | 'replaces';

/** The plan of a panel for an archive; throws if it is rejected. */
export function planned(archive: Archive, facts: PanelFacts, where: Where): RestorePlan {
  const own = where === 'this-machine' ? archive.manifest.origin : facts.origin;
  const plan = planRestore(archive, facts, { replaces: where === 'replaces', own });
  if ('rejected' in plan) throw new Error(JSON.stringify(plan.rejected));
  // As the start reads it.
  return JSON.parse(JSON.stringify(plan)) as RestorePlan;
}

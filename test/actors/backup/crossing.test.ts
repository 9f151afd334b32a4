import { describe, expect, it } from 'vitest';

import { activationAfterRestore, filterAfterRestore, sectionsAfterRestore } from '#actors/backup/after.ts';
import { archiveOf } from '#actors/backup/archive-of.ts';
import type { SettingDescriptor } from '#machines/kit/setting.ts';
import { readAssignments } from '#machines/kit/recipient.ts';
import { descriptors, exposableSettings, plainSettings } from '#machines/settings.ts';
import { type Configuration, defaultConfiguration } from '#machines/settings/merge.ts';
import { readStored } from '#machines/settings/stored.ts';
import { panelSections } from '#machines/stored-sections.ts';
import { otherConfiguration } from '#test/fakes/other-values.ts';

import { archived, fullPanel, newPanel, planned, revision, type Where } from './panels.ts';

const full = otherConfiguration();
const places = ['this-machine', 'another-machine', 'replaces'] as const satisfies readonly Where[];

type Kind =
  | 'reading'
  | 'local'
  | 'consent'
  | 'sign-in'
  | 'secret'
  | 'name of a secret'
  | 'identity'
  | 'device'
  | 'portable';

const named: ReadonlySet<string> = new Set(plainSettings.flatMap(({ recipientOf }) => recipientOf?.names ?? []));

function kindOf({ key, readOnly, local, hidden, consent, secret, scope }: SettingDescriptor): Kind {
  if (readOnly) return 'reading';
  if (local) return 'local';
  if (hidden) return 'sign-in';
  if (consent !== null) return 'consent';
  if (secret) return 'secret';
  if (named.has(key)) return 'name of a secret';
  return scope === 'IDENTITY' ? 'identity' : scope === 'DEVICE' ? 'device' : 'portable';
}

/** What crosses to where, from an encrypted archive with the sign-in. */
const crosses: Readonly<Record<Kind, readonly Where[]>> = {
  reading: [],
  local: [],
  consent: [],
  'sign-in': ['this-machine', 'replaces'],
  secret: ['this-machine', 'replaces'],
  'name of a secret': ['this-machine', 'replaces'],
  identity: ['this-machine', 'replaces'],
  device: ['this-machine'],
  portable: places,
};

const sectionCrosses = (section: string): readonly Where[] =>
  section === 'announced' ? ['this-machine', 'replaces'] : ['this-machine'];

function restored(where: Where, options = { secrets: true, companion: true }) {
  const panel = newPanel();
  const plan = planned(archived(fullPanel(), options), panel, where);
  const sections = sectionsAfterRestore(panel.sections, plan, 3000);
  const { settings, secrets } = sections;
  return { panel, plan, sections, configuration: readStored({ settings, secrets }).configuration };
}

const valueOf = ({ values, secrets }: Configuration, key: string): unknown => secrets[key] ?? values[key] ?? null;

describe.each(places)('an archive that is restored on %s', (where) => {
  const { panel, plan, sections, configuration } = restored(where);

  it.each(descriptors.map((row) => [row.key, kindOf(row)] as const))('%s (%s)', (key, kind) => {
    const before = valueOf(defaultConfiguration, key);
    const there = valueOf(full, key);
    if (kind !== 'reading' && kind !== 'consent') expect(there).not.toEqual(before);
    expect(valueOf(configuration, key)).toEqual(crosses[kind].includes(where) ? there : before);
  });

  it('shows the same entities', () => {
    expect(exposableSettings.length).toBeGreaterThan(10);
    expect(configuration.expose).toEqual(full.expose);
  });

  it.each(panelSections)('section %s', (section) => {
    const { [section]: there } = fullPanel().sections;
    const { [section]: before } = panel.sections;
    expect(there).toBeDefined();
    if (!sectionCrosses(section).includes(where)) expect(sections[section]).toEqual(before);
    else if (section !== 'announced') expect(sections[section]).toEqual(there);
    else expect(JSON.stringify(sections[section])).toMatch(/hall.*panel_eeee|panel_eeee.*hall/);
  });

  it('leaves every other section as it is', () => {
    const changed = ['settings', 'secrets', 'restore', 'maintenance', ...panelSections];
    for (const section of Object.keys({ ...fullPanel().sections, ...panel.sections }))
      if (!changed.includes(section)) expect([section, sections[section]]).toEqual([section, panel.sections[section]]);
    expect(JSON.stringify([plan, sections])).not.toContain('marker-of');
  });

  it('brings what the owner decided about entities, and not what was learned', () => {
    const after = filterAfterRestore(panel.filter, plan);
    if (after === 'keep') throw new Error('nothing was restored');
    const dashboard = after.accounts[0]?.dashboards[0];
    expect(after).toMatchObject({ policy: { auto_runtime: false }, manual: { ids: ['light.hall', 'sun.sun'] } });
    expect(dashboard).toMatchObject({ scannedAt: null, issues: [], ignored: ['0123456789abcdef'] });
    expect(dashboard?.active).toEqual(['light.hall', 'sensor.hall']);
    expect(dashboard?.members.map(({ entityId, override, evidence }) => [entityId, override, evidence])).toEqual([
      ['light.cellar', 'forced_exclude', []],
      ['sensor.hall', 'pinned', []],
    ]);
  });

  it('brings the profiles, and starts the selected one on trial', () => {
    expect(plan.revisions).toEqual([revision]);
    expect(plan.preview.profile).toBe(revision.id);
    expect(activationAfterRestore(panel.profiles.record, plan, 3000)).toMatchObject({
      selection: { mode: 'pinned', id: revision.id, revision: revision.revision },
      trial: { attempts: 0, since: 3000, fallback: { mode: 'auto' } },
    });
  });

  it('tells it part by part, in the preview and at its end, without the text of a credential', () => {
    const does = Object.fromEntries(plan.preview.parts.map((part) => [part.part, part.does]));
    const isElsewhere = where === 'another-machine';
    expect(does).toEqual({
      config: 'restored',
      filter: 'restored',
      panel: isElsewhere ? 'skipped' : 'restored',
      profiles: 'restored',
      companion: isElsewhere ? 'skipped' : 'restored',
    });
    expect(plan.preview).toMatchObject({
      origin: where,
      madeAt: 1000,
      madeBy: full.values['panel_id'],
      version: '0.2.0',
    });
    for (const { does: what, why } of plan.preview.parts) expect(why !== '').toBe(what === 'skipped');
    const differs = (key: string): boolean => valueOf(configuration, key) !== valueOf(defaultConfiguration, key);
    const changed = plan.preview.changes.map(({ key }) => key).filter((key) => !key.startsWith('ha_expose_'));
    const visible = descriptors.filter(({ key, hidden }) => !hidden && differs(key)).map(({ key }) => key);
    expect(changed.toSorted()).toEqual(visible.toSorted());
    const skipped = plan.preview.skippedKeys.map(({ key }) => key);
    const posted = descriptors.filter((row) =>
      ['identity', 'device', 'secret', 'name of a secret'].includes(kindOf(row)),
    );
    expect(skipped.toSorted()).toEqual(
      posted
        .filter((row) => !crosses[kindOf(row)].includes(where))
        .map(({ key }) => key)
        .toSorted(),
    );
    expect(JSON.stringify(plan.preview)).not.toContain('marker-');
    expect(sections['restore']).toEqual({ version: 1, state: 'done', by: 'http', at: 2000 });
    expect(sections['maintenance']).toMatchObject({
      running: null,
      last: {
        kind: 'restore',
        endedAt: 3000,
        message: 'The backup was restored. Its profile is on trial, and kept once it has worked for a while.',
        result: {
          status: 'succeeded',
          config: { status: 'succeeded', items: plan.preview.changes.length },
          panel: { status: isElsewhere ? 'skipped' : 'succeeded' },
        },
      },
    });
    expect(JSON.stringify(sections['maintenance'])).not.toContain('marker-');
  });

  it('comes to the same if it is done twice', () => {
    expect(sectionsAfterRestore(sections, plan, 4000)).toEqual(sections);
    const filter = filterAfterRestore(panel.filter, plan);
    expect(filterAfterRestore(filter, plan)).toBe('keep');
    expect(activationAfterRestore(activationAfterRestore(null, plan, 3000), plan, 4000)).toBe('keep');
    // An interruption may leave the new filter and the new selection beside the old document.
    expect(sectionsAfterRestore(panel.sections, plan, 3000)).toEqual(sections);
  });

  it('sends each credential where it went before', () => {
    const before = readAssignments(fullPanel().sections['secrets']);
    const after = readAssignments(sections['secrets']);
    expect([...after.keys()].toSorted()).toEqual(Object.keys(configuration.secrets).toSorted());
    for (const [key, { recipient }] of after) expect([key, recipient]).toEqual([key, before.get(key)?.recipient]);
  });

  it('brings neither a credential nor the sign-in from an archive without a passphrase', () => {
    const plain = restored(where, { secrets: false, companion: true });
    expect(plain.configuration.secrets).toEqual({});
    expect(plain.plan.preview.parts.find(({ part }) => part === 'companion')).toMatchObject({ does: 'absent' });
    expect(plain.configuration.values['ha_url']).toBe(full.values['ha_url']);
  });
});

describe('what is in an archive', () => {
  const textOf = (options: { readonly secrets: boolean; readonly companion: boolean }): string => {
    const made = archiveOf(fullPanel(), options);
    return 'entries' in made ? made.entries.map(({ text }) => text).join('\n') : '';
  };

  it('is no credential, recipient or sign-in without a passphrase', () => {
    for (const companion of [true, false]) {
      const text = textOf({ secrets: false, companion });
      expect(text).not.toContain('marker-');
      expect(text).not.toContain('"recipients"');
      expect(text).toContain('"values"');
    }
  });

  it('is the sign-in only if it was asked for', () => {
    expect(textOf({ secrets: true, companion: true })).toContain('marker-ha_oauth');
    const without = textOf({ secrets: true, companion: false });
    expect(without).not.toContain('marker-ha_oauth');
    expect(without).toContain('marker-mqtt_password');
  });

  it('is never the history, the last commands, the light of the room or a record of this run', () => {
    expect(textOf({ secrets: true, companion: true })).not.toContain('marker-of');
    expect(textOf({ secrets: true, companion: true })).not.toContain('installId');
  });
});

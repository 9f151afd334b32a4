import { describe, expect, it } from 'vitest';

import { sectionsAfterRestore } from '#actors/backup/after.ts';
import { archiveOf } from '#actors/backup/archive-of.ts';
import { planRestore, type RestorePlan } from '#actors/backup/plan.ts';
import type { Archive, PanelFacts } from '#machines/backup/archive.ts';
import { readAssignments } from '#machines/kit/recipient.ts';
import { firstRecord } from '#machines/profile-catalog/activation.ts';
import { type Configuration, defaultConfiguration } from '#machines/settings/merge.ts';
import { readStored } from '#machines/settings/stored.ts';

import { archived, configured, fullPanel, newPanel, origins, planned, revision } from './panels.ts';

const of = (change: Partial<Configuration>): Configuration => ({ ...defaultConfiguration, ...change });
const values = (change: Configuration['values']): Configuration =>
  of({ values: { ...defaultConfiguration.values, ...change } });
function panelWith(configuration: Configuration, change: Partial<PanelFacts> = {}): PanelFacts {
  const panel = newPanel(change);
  return { ...panel, sections: { ...panel.sections, ...configured(configuration) } };
}

function after(panel: PanelFacts, plan: RestorePlan) {
  const { settings, secrets } = sectionsAfterRestore(panel.sections, plan, 3000);
  return { ...readStored({ settings, secrets }), assignments: readAssignments(secrets) };
}

const partOf = (plan: RestorePlan, name: string) => plan.preview.parts.find(({ part }) => part === name);
const withConfig = (archive: Archive, config: Partial<Archive['manifest']['config']>): Archive => ({
  ...archive,
  manifest: { ...archive.manifest, config: { ...archive.manifest.config, ...config } },
});

/** The archive of another machine than that of `newPanel`. */
const archiveWith = (configuration: Configuration, change: Partial<PanelFacts> = {}): Archive =>
  archived(panelWith(configuration, { origin: [origins.here], ...change }));

describe('the origin', () => {
  it.each([
    ['one digest in common', [origins.there, origins.here], 'this-machine'],
    ['another machine', [origins.there], 'another-machine'],
    ['a machine that is not known', [], 'another-machine'],
  ] as const)('%s', (_, own, origin) => {
    const plan = planRestore(archived(fullPanel()), newPanel(), { replaces: false, own });
    expect('preview' in plan && plan.preview.origin).toBe(origin);
  });

  it('is this machine even if it is said to replace another', () => {
    const plan = planRestore(archived(fullPanel()), newPanel(), { replaces: true, own: [origins.here] });
    expect('preview' in plan && plan.preview.origin).toBe('this-machine');
  });
});

describe('a preview that hides which credentials are stored', () => {
  it.each(['this-machine', 'replaces'] as const)('is the same for a right and a wrong one: %s', (where) => {
    const withPassword = (password: string) =>
      of({
        values: { ...defaultConfiguration.values, mqtt_broker: 'mqtt://192.0.2.1' },
        secrets: { mqtt_password: password },
      });
    const panel = panelWith(withPassword('marker'));
    const preview = (password: string) => {
      const archive = archiveWith(withPassword(password));
      const own = where === 'this-machine' ? [origins.here] : [];
      const plan = planRestore(archive, panel, { replaces: where === 'replaces', own, hidesStored: true });
      return 'preview' in plan ? plan.preview : plan;
    };
    expect(preview('marker')).toMatchObject({
      changes: expect.arrayContaining([{ key: 'mqtt_password', from: null, to: null }]) as unknown,
    });
    expect(preview('guess')).toEqual(preview('marker'));
  });
});

describe('the identity', () => {
  const automatic = { panelId: 'hall_auto', friendlyName: 'Hall auto' };
  const unnamed = archiveWith(values({ night_dim_percent: 40 }), automatic);

  it('of a replaced panel becomes the chosen one, also if it was automatic', () => {
    const panel = panelWith(values({ panel_id: 'workshop', friendly_name: 'Workshop' }));
    const plan = planned(unnamed, panel, 'replaces');
    expect(after(panel, plan).configuration.values).toMatchObject({
      panel_id: 'hall_auto',
      friendly_name: 'Hall auto',
    });
    expect(plan.preview.changes).toContainEqual({ key: 'panel_id', from: 'workshop', to: 'hall_auto' });
  });

  it('of another panel stays there', () => {
    const panel = panelWith(values({ panel_id: 'workshop' }));
    const { values: restored } = after(panel, planned(unnamed, panel, 'another-machine')).configuration;
    expect(restored).toMatchObject({ panel_id: 'workshop', friendly_name: '', night_dim_percent: 40 });
  });

  it('of this machine stays automatic, unless the machine has got another one since', () => {
    const same = newPanel();
    const kept = { ...same, sections: { ...same.sections, identity: { autoPanelId: 'hall_auto' } } };
    expect(after(kept, planned(unnamed, kept, 'this-machine')).configuration.values['panel_id']).toBe('');
    expect(after(same, planned(unnamed, same, 'this-machine')).configuration.values['panel_id']).toBe('hall_auto');
  });
});

describe('credentials', () => {
  const broker = { scheme: 'mqtt', host: 'old.invalid', port: 1883, name: null };
  const from = archiveWith(
    of({
      values: { ...defaultConfiguration.values, mqtt_broker: 'mqtt://old.invalid' },
      secrets: { mqtt_password: 'old' },
    }),
  );

  it('keep the recipient that they had in the archive', () => {
    const panel = newPanel();
    expect(after(panel, planned(from, panel, 'this-machine')).assignments.get('mqtt_password')).toMatchObject({
      recipient: broker,
      by: 'file',
    });
    const moved = withConfig(from, { recipients: { mqtt_password: { ...broker, host: 'other.invalid' } } });
    expect(after(panel, planned(moved, panel, 'this-machine')).assignments.get('mqtt_password')).toMatchObject({
      recipient: { host: 'other.invalid' },
    });
    for (const recipients of [{}, { mqtt_password: null }])
      expect(
        after(panel, planned(withConfig(from, { recipients }), panel, 'this-machine')).assignments.get('mqtt_password'),
      ).toMatchObject({ recipient: null, by: 'file' });
  });

  it('that are stored go if the archive brings another address and none for it', () => {
    const panel = panelWith(
      of({
        values: { ...defaultConfiguration.values, mqtt_broker: 'mqtt://here.invalid' },
        secrets: { mqtt_password: 'here' },
      }),
    );
    const plan = planned(from, panel, 'another-machine');
    const { configuration, assignments } = after(panel, plan);
    expect([configuration.values['mqtt_broker'], configuration.secrets, assignments.size]).toEqual([
      'mqtt://old.invalid',
      {},
      0,
    ]);
    expect(plan.preview.changes).toContainEqual({ key: 'mqtt_password', from: null, to: null });
  });

  it('that are stored stay, with their recipient, if the address stays', () => {
    const panel = panelWith(
      of({
        values: { ...defaultConfiguration.values, mqtt_broker: 'mqtt://old.invalid' },
        secrets: { mqtt_password: 'old' },
      }),
    );
    const before = readAssignments(panel.sections['secrets']).get('mqtt_password');
    for (const where of ['this-machine', 'another-machine'] as const)
      for (const recipients of [{ mqtt_password: null }, { mqtt_password: broker }]) {
        const plan = planned(withConfig(from, { recipients }), panel, where);
        expect(after(panel, plan).assignments.get('mqtt_password')).toEqual(before);
      }
  });

  it('of the sign-in do not come to another address', () => {
    const signedIn = archiveWith(
      of({
        values: { ...defaultConfiguration.values, ha_url: 'http://ha.invalid:8123' },
        secrets: { ha_oauth: 'kept' },
      }),
    );
    const elsewhere = {
      ...signedIn.companion,
      version: 1 as const,
      secrets: { ha_oauth: { value: 'kept', recipient: broker } },
    };
    const panel = newPanel();
    expect(after(panel, planned(signedIn, panel, 'replaces')).configuration.secrets).toEqual({ ha_oauth: 'kept' });
    const plan = planned({ ...signedIn, companion: elsewhere }, panel, 'replaces');
    expect(after(panel, plan).configuration.secrets).toEqual({});
    expect(partOf(plan, 'companion')).toMatchObject({
      does: 'skipped',
      why: expect.stringMatching(/another address/) as unknown,
    });
  });

  it('under the name of another setting are no sign-in', () => {
    const archive = archived(fullPanel());
    const odd = {
      version: 1 as const,
      secrets: { mqtt_password: { value: 'odd', recipient: null }, __proto__x: { value: 'x', recipient: null } },
    };
    const plan = planned({ ...archive, companion: odd }, newPanel(), 'this-machine');
    expect(JSON.stringify(plan)).not.toContain('odd');
  });
});

describe('values', () => {
  const archive = archived(fullPanel());

  it('that are not valid refuse all of them', () => {
    const bad = withConfig(archive, { values: { ...archive.manifest.config.values, night_dim_percent: 'much' } });
    expect(planRestore(bad, newPanel(), { replaces: false, own: [] })).toEqual({
      rejected: { night_dim_percent: expect.any(String) as unknown },
    });
  });

  it('that this version does not have are left out, and said', () => {
    const more = withConfig(archive, {
      values: { of_tomorrow: 'x', dashboard_zoom: '90', panel_id: 'hall', ha_oauth: 'x' },
    });
    const plan = planned(more, newPanel(), 'this-machine');
    expect(plan.preview.changes.map(({ key }) => key)).toEqual(['dashboard_zoom', 'panel_id']);
    expect(plan.preview.skippedKeys.map(({ key, reason }) => [key, reason])).toEqual([
      ['of_tomorrow', 'unknown'],
      ['ha_oauth', 'hidden'],
    ]);
    expect(JSON.stringify(plan.settings)).not.toContain('of_tomorrow');
  });
});

describe('state that could not be read', () => {
  it('is said in the archive, the preview and the result', () => {
    const { proximity: _, ...sections } = fullPanel().sections;
    const archive = archived(fullPanel({ sections, unreadable: ['proximity'] }));
    expect(archive.manifest).toMatchObject({ state_unavailable: true, unreadable: ['proximity'] });
    const panel = newPanel();
    const plan = planned(archive, panel, 'this-machine');
    expect(plan.preview.stateUnavailable).toBe(true);
    expect(sectionsAfterRestore(panel.sections, plan, 3000)['maintenance']).toMatchObject({
      last: { message: expect.stringMatching(/state is missing/) as unknown, result: { status: 'partial' } },
    });
  });

  it('never passes for settings at their defaults', () => {
    const archive = archived(fullPanel({ sections: {}, unreadable: ['state'] }));
    const panel = panelWith(values({ dashboard_zoom: 90 }));
    const plan = planned(archive, panel, 'this-machine');
    expect(partOf(plan, 'config')).toMatchObject({ does: 'absent' });
    expect(partOf(plan, 'panel')).toMatchObject({
      does: 'absent',
      why: 'It could not be read when the backup was made.',
    });
    expect(after(panel, plan).configuration.values['dashboard_zoom']).toBe(90);
  });

  it('is also a document of the filter that is not valid', () => {
    expect(archived(fullPanel({ filter: { version: 9 } })).manifest).toMatchObject({ unreadable: ['entity-filter'] });
    expect(archived(fullPanel({ filter: null })).manifest).toMatchObject({ state_unavailable: false });
  });
});

describe('a panel that is as it was', () => {
  it('changes nothing', () => {
    const panel = fullPanel();
    const plan = planned(archived(panel), panel, 'this-machine');
    expect(plan.preview.changes).toEqual([]);
    expect(plan.preview.parts.map(({ does }) => does)).toEqual(Array.from({ length: 5 }, () => 'unchanged'));
    expect([plan.filter, plan.selection, plan.revisions]).toEqual([null, null, []]);
    const { restore: _r, maintenance: _m, ...sections } = sectionsAfterRestore(panel.sections, plan, 3000);
    expect(sections).toEqual(panel.sections);
  });
});

describe('profiles', () => {
  const archive = archived(fullPanel());
  const pinned = { mode: 'pinned', id: 'own.made', revision: 'f'.repeat(64) } as const;
  const own = { profiles: { record: { ...firstRecord, selection: pinned }, revisions: [] } };

  it('that matched there are selected on the same machine only', () => {
    const auto = { ...archive, profiles: { version: 1 as const, selection: { mode: 'auto' as const }, revisions: [] } };
    expect(planned(auto, newPanel(own), 'this-machine')).toMatchObject({
      selection: { mode: 'auto' },
      preview: { profile: 'auto' },
    });
    for (const where of ['another-machine', 'replaces'] as const)
      expect(planned(auto, newPanel(own), where)).toMatchObject({ selection: null, preview: { profile: null } });
  });

  it('whose text is another one are left out, and not selected', () => {
    const { profiles } = archive;
    if (profiles === null) throw new Error('the archive has no profiles');
    const forged = { ...archive, profiles: { ...profiles, revisions: [{ ...revision, yaml: 'id: other' }] } };
    const panel = newPanel();
    const plan = planned(forged, panel, 'this-machine');
    expect([plan.revisions, plan.selection]).toEqual([[], null]);
    expect(partOf(plan, 'profiles')).toMatchObject({
      why: 'One profile is left out: damaged, or more than the panel keeps.',
    });
  });

  it('for which there is no room are left out, and the result is partial', () => {
    const local = Array.from({ length: 127 }, (_, index) => ({
      id: `p${index}`,
      revision: String(index).padStart(64, '0'),
      yaml: 'x',
    }));
    const { profiles } = archive;
    if (profiles === null) throw new Error('the archive has no profiles');
    const more = { ...revision, revision: 'f'.repeat(64), id: 'z' };
    const two = { ...archive, profiles: { ...profiles, revisions: [revision, more] } };
    const panel = newPanel({ profiles: { record: null, revisions: local } });
    const plan = planned(two, panel, 'this-machine');
    expect(plan.revisions).toEqual([revision]);
    expect(sectionsAfterRestore(panel.sections, plan, 3000)['maintenance']).toMatchObject({
      last: { result: { status: 'partial', profiles: { status: 'partial', items: 1 } } },
    });
  });
});

describe('an archive', () => {
  it('is not made of more than a restore accepts, and names the part', () => {
    const huge = { ...fullPanel().sections, proximity: { text: 'x'.repeat(4_200_000) } };
    const options = { secrets: true, companion: true };
    expect(archiveOf(fullPanel({ sections: huge }), options)).toEqual({ tooLarge: 'panel' });
    const many = { ...fullPanel().sections, setup: { numbers: Array.from({ length: 200_001 }, () => 0) } };
    expect(archiveOf(fullPanel({ sections: many }), options)).toEqual({ tooLarge: 'panel' });
  });
});

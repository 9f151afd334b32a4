import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { stagesOf } from '#machines/publisher/announcement.ts';
import { checkPanel } from '#machines/publisher/discovery.ts';
import type { EntityMark, PublishedPanel } from '#machines/publisher/events.ts';
import { initialFacts, type PublisherFacts } from '#machines/publisher/facts.ts';
import { prepare } from '#machines/publisher/transitions.ts';
import {
  type AnnouncedEntities,
  dueAgain,
  nothingAnnounced,
  orphansOf,
  announcedFrom,
  countOrphans,
  oldDevices,
  remember,
  settle,
  shapesToAnnounce,
  storedForm,
  withoutPanels,
} from '#machines/publisher/announced.ts';

const panel = { panelId: 'hall', prefix: 'homeassistant' };
const mark = (key: string, entityKind: EntityMark['entityKind'] = 'switch'): EntityMark => ({ key, entityKind });

describe('the announced entities', () => {
  it('turns what is no longer announced into orphans, and forgets them once swept for certain', () => {
    const first = remember(nothingAnnounced, panel, [mark('a'), mark('b')]);
    expect(countOrphans(first)).toEqual({ orphans: 0, due: 0 });
    const second = remember(first, panel, [mark('a')]);
    expect(orphansOf(second, panel, 'due')).toEqual([mark('b')]);
    expect(countOrphans(second)).toEqual({ orphans: 1, due: 1 });
    const swept = settle(second, false);
    expect(countOrphans(swept)).toEqual({ orphans: 1, due: 0 });
    expect(orphansOf(swept, panel, 'due')).toEqual([]);
    expect(orphansOf(swept, panel, 'all')).toEqual([mark('b')]);
    expect(countOrphans(settle(swept, true))).toEqual({ orphans: 0, due: 0 });
    expect(orphansOf(remember(swept, panel, [mark('a'), mark('b')]), panel, 'all')).toEqual([]);
  });
  it('keeps a changed kind as an orphan beside the entity', () => {
    const changed = remember(remember(nothingAnnounced, panel, [mark('a', 'switch')]), panel, [mark('a', 'sensor')]);
    expect(orphansOf(changed, panel, 'due')).toEqual([mark('a', 'switch')]);
  });
  it('keeps whole devices of other names until they are swept', () => {
    const moved = remember(remember(nothingAnnounced, panel, [mark('a')]), { ...panel, panelId: 'kitchen' }, [
      mark('a'),
    ]);
    expect(oldDevices(moved, { ...panel, panelId: 'kitchen' }, 'due').map(({ panelId }) => panelId)).toEqual(['hall']);
    expect(oldDevices(settle(moved, false), { ...panel, panelId: 'kitchen' }, 'due')).toEqual([]);
    expect(oldDevices(settle(moved, false), { ...panel, panelId: 'kitchen' }, 'all')).toHaveLength(1);
    expect(withoutPanels(moved, ['hall']).devices).toHaveLength(1);
    expect(settle(moved, true).devices).toHaveLength(1);
  });
  it.each([
    null,
    1,
    'x',
    {},
    { version: 2, devices: [] },
    { version: 1, devices: [{ panelId: '../x', prefix: 'a', entries: [] }] },
  ])('takes %o as none', (stored) => {
    expect(announcedFrom(stored)).toEqual(nothingAnnounced);
  });
  it('keep the stored form of the first version', () => {
    const announced = remember(nothingAnnounced, panel, [mark('a', 'light')]);
    expect(storedForm(announced)).toEqual({
      version: 1,
      devices: [{ ...panel, entries: [{ key: 'a', platform: 'light', standing: 'here' }] }],
    });
  });
  it('reads back what it wrote, and never forgets an entity without a sweep', () => {
    const marks = fc.uniqueArray(
      fc.record({
        key: fc.constantFrom('a', 'b', 'c'),
        entityKind: fc.constantFrom('switch' as const, 'sensor' as const),
      }),
      { selector: ({ key }) => key },
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.constantFrom('hall', 'kitchen'), marks), { maxLength: 8 }), (runs) => {
        let remembered = nothingAnnounced;
        const announced = new Set<string>();
        for (const [panelId, list] of runs) {
          remembered = announcedFrom(
            JSON.parse(JSON.stringify(storedForm(remember(remembered, { panelId, prefix: 'p' }, list)))),
          );
          for (const { key, entityKind } of list) announced.add(`${panelId} ${key} ${entityKind}`);
        }
        const known = new Set(
          remembered.devices.flatMap((device) =>
            device.entries.map(({ key, entityKind }) => `${device.panelId} ${key} ${entityKind}`),
          ),
        );
        expect(known).toEqual(announced);
      }),
    );
  });
});

describe('a row whose hardware was not found', () => {
  const rows = [
    { key: 'a', entityKind: 'switch', name: 'A', attributes: false },
    { key: 'b', entityKind: 'switch', name: 'B', attributes: false },
  ] as const;
  const keys = (announced: AnnouncedEntities, hidden: readonly string[] = ['b']) =>
    shapesToAnnounce({ panelId: 'hall', shapes: rows, hidden }, announced).map(({ key }) => key);
  const before = remember(nothingAnnounced, panel, [mark('a'), mark('b')]);

  it('is withheld if it was never announced under this panel id, in this kind', () => {
    expect(keys(nothingAnnounced)).toEqual(['a']);
    expect(keys(remember(nothingAnnounced, { ...panel, panelId: 'bath' }, [mark('b')]))).toEqual(['a']);
    expect(keys(remember(nothingAnnounced, panel, [mark('b', 'light')]))).toEqual(['a']);
    expect(keys(nothingAnnounced, [])).toEqual(['a', 'b']);
  });

  it('stays if it was, in its place, also under another prefix and after a restart', () => {
    expect(keys(before)).toEqual(['a', 'b']);
    expect(keys(remember(nothingAnnounced, { ...panel, prefix: 'other' }, [mark('b')]))).toEqual(['a', 'b']);
    expect(keys(announcedFrom(JSON.parse(JSON.stringify(storedForm(before)))))).toEqual(['a', 'b']);
  });

  it('is withheld again once the owner hid it, or the panel was withdrawn', () => {
    expect(keys(remember(before, panel, [mark('a')]))).toEqual(['a']);
    expect(keys(dueAgain(before))).toEqual(['a']);
  });
});

const described = {
  ...panel,
  installId: 'a'.repeat(32),
  friendlyName: 'Hall',
  manufacturer: '',
  model: '',
  version: '1',
  configurationUrl: null,
};

it('serves what it announces: not what was never found, and later also what was lost', () => {
  const whole: PublishedPanel = {
    ...described,
    hidden: ['b'],
    shapes: ['a', 'b'].map((key) => ({ key, entityKind: 'switch', name: key, attributes: false })),
  };
  const keys = (facts: PublisherFacts) => facts.shapes.map(({ key }) => key);
  const first = { ...initialFacts, panel: whole, ...prepare({ ...initialFacts, panel: whole }) };
  expect(keys(first)).toEqual(['a']);
  const found = { ...first, panel: { ...whole, hidden: [] } };
  const second = { ...found, ...prepare(found) };
  expect(keys(second)).toEqual(['a', 'b']);
  const lost = { ...second, panel: whole };
  expect(keys({ ...lost, ...prepare(lost) })).toEqual(['a', 'b']);
  expect(orphansOf(prepare(lost).remembered ?? nothingAnnounced, panel, 'all')).toEqual([]);
});

describe('the steps of an announcement', () => {
  const whole: PublishedPanel = {
    ...described,
    hidden: [],
    shapes: [{ key: 'a', entityKind: 'switch', name: 'A', attributes: false }],
  };
  const { components } = checkPanel(whole, nothingAnnounced);
  const plan = (announced = nothingAnnounced, sweep: 'due' | 'all' = 'due', silent = false) =>
    stagesOf({ panel: whole, components, announced, sweep, silent });

  it('are one payload when nothing is to be swept', () => {
    expect(plan(remember(nothingAnnounced, whole, whole.shapes))).toMatchObject([{ states: true, clears: [] }]);
  });
  it('keep the markers of what was swept, without raising it again', () => {
    const announced = settle(
      remember(remember(nothingAnnounced, whole, [mark('a'), mark('old')]), whole, whole.shapes),
      false,
    );
    const [only, ...more] = plan(announced);
    expect(more).toEqual([]);
    expect(JSON.parse(only?.configs[0]?.payload ?? '')).toMatchObject({ components: { old: { platform: 'switch' } } });
    expect(plan(announced, 'all')).toHaveLength(3);
  });
  it('sweep a device under another prefix without touching the topics of this panel', () => {
    const announced = remember(
      remember(nothingAnnounced, { ...whole, prefix: 'other' }, whole.shapes),
      whole,
      whole.shapes,
    );
    const stages = plan(announced);
    expect(
      stages.map((stage) => stage.configs.map(({ topic, payload }) => [topic.split('/')[0], payload === ''])),
    ).toEqual([
      [
        ['homeassistant', false],
        ['other', false],
      ],
      [['other', true]],
      [],
    ]);
    expect(stages.flatMap((stage) => stage.clears)).toEqual([]);
  });
  it('say states only once the owner removed the device at Home Assistant', () => {
    expect(plan(nothingAnnounced, 'all', true)).toEqual([{ configs: [], states: true, clears: [] }]);
  });
});

import { describe, expect, it } from 'vitest';
import { sleepOrigins } from '#machines/auto-sleep/events.ts';
import { HistoryEntryStatus, historyKinds, historyTopics, historyWords } from '#machines/history.ts';
import { secretSettings } from '#machines/settings.ts';
import type { Manifest } from '#machines/subsystem.ts';
import { subsystems } from '#machines/subsystems.ts';
import { icons } from '#ui/icons.ts';
import { catalogue } from '#ui/strings/catalogue.ts';
import { entryWords } from '#ui/strings/history-words.ts';
import { partName } from '#ui/strings/part-name.ts';
import { t } from '#ui/strings/t.ts';

const keys = Object.keys(catalogue);

const manifests: readonly Manifest[] = subsystems;

describe('the kinds of the history', () => {
  it('are declared once each, with an icon that exists, and none that no entry has', () => {
    const declared = manifests.flatMap(({ historyKinds: own = [] }) => own.map(({ kind }) => kind));
    expect(
      historyKinds.filter((kind) => !declared.includes(kind)).map((kind) => `${kind}: nobody declares it`),
    ).toEqual([]);
    expect(declared.toSorted()).toEqual(historyKinds.toSorted());
    for (const { icon } of historyTopics.values()) expect(Object.keys(icons)).toContain(icon);
  });
});

describe('the words of the history', () => {
  it('has a sentence for every kind', () => {
    expect(historyKinds.filter((kind) => !keys.some((key) => key.startsWith(`happened.${kind}`)))).toEqual([]);
  });

  it('has a sentence for every code', () => {
    const codes = historyWords.flatMap(({ kind, codes: each }) => each.map((code) => `happened.${kind}.${code}`));
    expect(codes.length).toBeGreaterThan(30);
    expect(codes.filter((key) => !Object.hasOwn(catalogue, key))).toEqual([]);
  });

  it('says every code in its own sentence', () => {
    const unsaid = historyWords.flatMap(({ kind, codes }) =>
      codes.filter(
        (code) => entryWords({ kind, code, by: null }, () => undefined) === t('happened.other', { kind, code }),
      ),
    );
    expect(unsaid).toEqual([]);
  });

  it('has no sentence that nothing says', () => {
    // What is said of kinds whose codes come from outside, and of entries of another version.
    const outside = [
      'happened.other',
      'happened.configuration',
      'happened.announcement.failed',
      'happened.voice.failed',
    ];
    const said = historyWords.flatMap(({ kind, codes }) => [
      ...codes.map((code) => `happened.${kind}.${code}`),
      // Of some origins the screen has a sentence of its own.
      ...(kind === 'screen' ? codes.flatMap((code) => sleepOrigins.map((by) => `happened.screen.${code}.${by}`)) : []),
    ]);
    expect(keys.filter((key) => key.startsWith('happened.') && !said.includes(key) && !outside.includes(key))).toEqual(
      [],
    );
  });

  it('names every kind in the description of an entry, and no other', () => {
    const description = HistoryEntryStatus().shape.kind.meta()?.description ?? '';
    expect([...description.matchAll(/`([a-z-]+)`/g)].map(([, kind = '']) => kind).toSorted()).toEqual(
      historyKinds.toSorted(),
    );
  });
});

it('every part and every group of parts has a name of its own', () => {
  const ids = new Set(manifests.flatMap(({ ids: own, group }) => (own.length === 0 ? [] : [...own, group])));
  expect(ids.size).toBeGreaterThan(50);
  expect([...ids].filter((id) => partName(String(id)) === id)).toEqual([]);
});

it('every secret that is removed has a sentence of its own', () => {
  const secrets = secretSettings.map(({ key }) => key);
  expect(secrets).toContain('mqtt_password');
  expect(secrets.filter((key) => !Object.hasOwn(catalogue, `history.removed.${key}`))).toEqual([]);
});

import { describe, expect, it } from 'vitest';

import { isOnSurface, panelOf, type PanelParts } from '#machines/entities/panel.ts';
import { occurredSince, readRow, sameRowValue } from '#machines/entities/row-value.ts';
import { shapeOf } from '#machines/entities/shape.ts';
import type { AnyRow } from '#machines/kit/entity.ts';
import { ok } from '#machines/kit/result.ts';
import { componentOf } from '#machines/publisher/discovery.ts';

/** A row whose facts are its value, and `false` for one that is unavailable. */
const sensor = (over: Partial<AnyRow> = {}): AnyRow =>
  ({
    entityKind: 'sensor',
    key: 'it',
    name: 'It',
    actor: 'x',
    available: ({ context }) => context !== false,
    read: ({ context }) => context as string,
    attributes: ({ context }) => ({ seen: String(context), n: 1 }),
    ...over,
  }) as AnyRow;
const at = (context: unknown) => ({ value: 'x', context });

describe('the value of a row', () => {
  it('is read with its attributes as an object, and unknown as null', () => {
    expect(readRow(sensor(), at('on'))).toEqual({
      basis: 'read',
      available: true,
      value: 'on',
      attributes: { seen: 'on', n: 1 },
    });
    expect(readRow(sensor(), at(''))).toMatchObject({ basis: 'read', value: null });
  });

  it('is nothing known while its actor is absent, and cleared where an old one must not count', () => {
    const cleared = sensor({ clearedWhenUnavailable: true } as Partial<AnyRow>);
    expect(readRow(sensor(), undefined)).toEqual({ basis: 'absent', available: false, value: null, attributes: null });
    expect(readRow(cleared, undefined)).toMatchObject({ basis: 'cleared', value: null });
    expect(readRow(cleared, at(false))).toMatchObject({ basis: 'cleared', available: false, value: null });
    expect(readRow(cleared, at('on'))).toMatchObject({ basis: 'read', value: 'on' });
  });

  it('is the same only if everything in it is', () => {
    const light = (context: unknown) =>
      readRow(
        {
          ...sensor(),
          entityKind: 'light',
          modes: { colour: 'rgb', effects: [] },
          write: () => ok({}),
          protects: null,
        } as unknown as AnyRow,
        at(context),
      );
    const rgb = { red: 1, green: 2, blue: 3 };
    const lit = { on: true, brightness: 7, rgb, effect: 'none' };
    expect(sameRowValue(light(lit), light({ ...lit, rgb: { ...rgb } }))).toBe(true);
    for (const other of [
      null,
      { on: false, brightness: null },
      { ...lit, brightness: 8 },
      { ...lit, rgb: { ...rgb, blue: 4 } },
      { ...lit, effect: 'blink' },
    ])
      expect(sameRowValue(light(lit), light(other))).toBe(false);
    expect(sameRowValue(readRow(sensor(), at('a')), readRow(sensor(), at('a')))).toBe(true);
    expect(sameRowValue(readRow(sensor(), at('a')), readRow(sensor(), at('b')))).toBe(false);
    const attributed = (n: unknown) => ({ ...readRow(sensor(), at('a')), attributes: { n } as never });
    expect(sameRowValue(attributed(1), attributed(1))).toBe(true);
    expect(sameRowValue(attributed(1), attributed('1'))).toBe(false);
    expect(sameRowValue(attributed(1), readRow(sensor(), undefined))).toBe(false);
  });

  it('tells of each occurrence once', () => {
    const of = (...sequences: readonly number[]) => ({ occurrences: sequences.map((sequence) => ({ sequence })) });
    const since = (before: ReturnType<typeof of> | undefined, after: ReturnType<typeof of>) =>
      occurredSince(before, after).map(({ sequence }) => sequence);
    expect([since(undefined, of(1)), since(of(1), of(1, 2, 3)), since(of(7), of(1))]).toEqual([[], [2, 3], [1]]);
  });
});

describe('a row', () => {
  const identity = {
    panelId: 'hall',
    installId: 'a'.repeat(32),
    friendlyName: '',
    manufacturer: '',
    model: '',
    version: '1',
  };
  const parts: PanelParts = { identity, expose: {}, absent: [], hidden: [], modes: {}, address: null, port: -1 };
  const rows = [
    sensor({ key: 'both' } as Partial<AnyRow>),
    sensor({ key: 'broker', surfaces: ['mqtt'] } as Partial<AnyRow>),
    sensor({ key: 'own', surfaces: ['native'], objectId: 'mine' } as Partial<AnyRow>),
  ];

  it('is offered on both surfaces, or on those that it names', () => {
    const keys = (surface: 'mqtt' | 'native') => panelOf(rows, parts, surface).shapes.map(({ key }) => key);
    expect([keys('mqtt'), keys('native')]).toEqual([
      ['both', 'broker'],
      ['both', 'own'],
    ]);
    expect(rows.map((row) => isOnSurface(row, 'native'))).toEqual([true, false, true]);
  });

  it('may have an entity id that is not its key, under the unique id of its key', () => {
    const shape = shapeOf(sensor({ key: 'own', objectId: 'mine' } as Partial<AnyRow>));
    expect(shape).toMatchObject({ key: 'own', objectId: 'mine' });
    expect(componentOf(identity, shape)).toMatchObject({
      default_entity_id: 'sensor.hall_mine',
      unique_id: 'sconce_hall_own',
    });
  });
});

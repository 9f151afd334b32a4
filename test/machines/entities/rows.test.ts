import { describe, expect, it } from 'vitest';

import { rowCommandOf } from '#machines/entities/command.ts';
import { rows as rendererRows } from '#machines/renderer/entities.ts';
import type { RendererContext, RendererPhase } from '#machines/renderer/events.ts';
import { rows as volumeRows } from '#machines/volume/entities.ts';
import type { VolumeContext } from '#machines/volume/events.ts';
import { rendererStates } from '#test/fakes/renderer.ts';

describe('the volume in Home Assistant', () => {
  const [row] = volumeRows;
  const at = (percent: number | null) => ({ value: 'ready', context: { percent } as VolumeContext });

  it('is available once it is known', () => {
    expect([0, 40, null].map((percent) => row?.available(at(percent)))).toEqual([true, true, false]);
  });

  it.each([-1, 101, Number.NaN, Number.POSITIVE_INFINITY])('is not set to %d', (percent) => {
    expect(row && rowCommandOf(row, percent, 'home-assistant')).toMatchObject({
      ok: false,
      reason: 'volume-out-of-range',
    });
  });

  it.each([0, 100])('is set to %d', (percent) => {
    const event = { type: 'volume.set', percent, origin: 'home-assistant' };
    expect(row && rowCommandOf(row, percent, 'home-assistant')).toEqual({ ok: true, value: { do: 'tell', event } });
  });
});

describe('the dashboard in Home Assistant', () => {
  const row = rendererRows.find(({ key }) => key === 'navigate');
  if (row?.entityKind !== 'text') throw new Error('the path is a text');
  it.each<readonly [RendererPhase, Partial<RendererContext>, string]>([
    ['showing', { path: '/a/0' }, '/a/0'],
    ['loading', { path: '/a/0' }, ''],
    ['showing', { path: null }, ''],
    ['showing', { path: `/${'a'.repeat(254)}` }, `/${'a'.repeat(254)}`],
    ['showing', { path: `/${'a'.repeat(255)}` }, ''],
  ])('shows the path whole or not at all: %s, %j', (phase, facts, path) => {
    expect(row.read({ value: rendererStates[phase], context: facts as RendererContext })).toBe(path);
  });

  it('takes a path, and no empty one', () => {
    const event = { type: 'renderer.navigate', path: '/a/1', origin: 'home-assistant' };
    expect(row.write('/a/1', 'home-assistant')).toEqual({ ok: true, value: { do: 'tell', event } });
    expect(row.write('  ', 'home-assistant')).toMatchObject({ ok: false, reason: 'bad-path' });
  });
});

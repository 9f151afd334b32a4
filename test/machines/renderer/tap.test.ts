import { describe, expect, it } from 'vitest';

import { whyUnclearable } from '#machines/renderer/clear-storage.ts';
import type { RendererActor, RendererContext, RendererPhase, TapOutcome } from '#machines/renderer/events.ts';
import type { RendererFacts } from '#machines/renderer/facts.ts';
import type { ShownRenderer } from '#machines/renderer/phase.ts';
import { tapRefusal, whyUntappable } from '#machines/renderer/tap.ts';
import { judgeRenderer } from '#machines/renderer/verdict.ts';
import { settledFacts } from '#test/fakes/route-deps.ts';

// The settled renderer is what the actor would show.
const settled = settledFacts()['renderer'] as RendererFacts;
const seen = (mode: RendererContext['mode'], phase: RendererPhase): RendererFacts & ShownRenderer => ({
  ...settled,
  mode,
  phase,
});
const detailOf = (renderer: Parameters<typeof judgeRenderer>[0]): string => judgeRenderer(renderer).detail;
const idle: readonly RendererPhase[] = ['off', 'not-installed', 'no-display'];

describe('what cannot be tapped', () => {
  it.each([...idle, 'starting' as const])('says why: %s', (phase) => {
    const renderer = seen('builtin', phase);
    expect(detailOf(renderer)).not.toBe('');
    expect(whyUntappable(renderer)).toBe(detailOf(renderer));
  });

  it('is what another program shows', () => {
    expect(whyUntappable(seen('external', 'showing'))).toMatch(/^Another program/);
    expect(whyUntappable(seen('builtin', 'showing'))).toBeNull();
  });
});

describe('a tap that was not made', () => {
  type Refused = Extract<TapOutcome, { readonly ok: false }>;
  const refusal = (outcome: Refused, at = { x: 1, y: 1 }, shown = seen('builtin', 'showing')) =>
    tapRefusal(outcome, at, shown);
  const outside: Refused = { ok: false, reason: 'outside', width: 800, height: 480 };

  it.each<readonly [number, number, readonly string[]]>([
    [800, 479, ['x']],
    [799, 480, ['y']],
    [800, 480, ['x', 'y']],
  ])('lies beyond the picture at %i, %i', (x, y, fields) => {
    const { reason, message, ...more } = refusal(outside, { x, y });
    expect(reason).toBe('bad-value');
    expect('reasons' in more && Object.keys(more.reasons)).toEqual(fields);
    for (const field of fields)
      expect(message).toContain(`"${field}" must be a number from 0 to ${field === 'x' ? 799 : 479}:`);
  });

  it('says why nothing is shown', () => {
    const dark = seen('builtin', 'no-display');
    const { reason, message } = refusal({ ok: false, reason: 'not-shown' }, undefined, dark);
    expect(reason).toBe('not-here');
    expect(message).toBe(detailOf(dark));
  });

  it.each<readonly [Exclude<Refused['reason'], 'outside' | 'not-shown'>, string, RegExp]>([
    ['not-possible', 'not-here', /^Another program/],
    ['busy', 'tap-failed', /still under way/],
    ['no-answer', 'tap-failed', /does not answer/],
    ['unknown', 'completion-unknown', /did not say in time/],
  ])('says why: %s', (reason, code, words) => {
    const { reason: said, message } = refusal({ ok: false, reason });
    expect(said).toBe(code);
    expect(message).toMatch(words);
  });
});

describe('what the browser keeps', () => {
  const desired = { origin: 'http://home.example:8123' } as RendererActor['context']['desired'];

  it('is removed of the built-in renderer, also while it starts', () => {
    for (const phase of ['starting', 'showing'] as const)
      expect(whyUnclearable({ ...seen('builtin', phase), desired })).toBeNull();
  });

  it.each(idle)('is not removed, and why: %s', (phase) => {
    const renderer = { ...seen('builtin', phase), desired };
    expect(whyUnclearable(renderer)).toBe(detailOf(renderer));
  });

  it('is not removed of another program, nor without an address', () => {
    expect(whyUnclearable({ ...seen('external', 'showing'), desired })).toMatch(/^Another program/);
    for (const none of [null, { ...desired, origin: null } as RendererActor['context']['desired']])
      expect(whyUnclearable({ ...seen('builtin', 'showing'), desired: none })).toMatch(/^There is nothing to clear/);
  });
});

import { describe, expect, it } from 'vitest';

import { whyUnclearable } from '#machines/renderer/clear-storage.ts';
import type { RendererActor, RendererContext, RendererPhase, TapOutcome } from '#machines/renderer/events.ts';
import { tapRefusal, whyUntappable } from '#machines/renderer/tap.ts';

const detail = 'No display is connected.';
const verdict: RendererContext['verdict'] = { state: 'off', reason: 'no-display', detail, missing: null, fix: null };
const seen = (mode: RendererContext['mode'], phase: RendererPhase) => ({ mode, phase, verdict });
const idle: readonly RendererPhase[] = ['off', 'not-installed', 'no-display'];

describe('what cannot be tapped', () => {
  it.each([...idle, 'starting' as const])('says why: %s', (phase) => {
    expect(whyUntappable(seen('builtin', phase))).toBe(detail);
  });

  it('is what another program shows', () => {
    expect(whyUntappable(seen('external', 'showing'))).toMatch(/^Another program/);
    expect(whyUntappable(seen('builtin', 'showing'))).toBeNull();
  });
});

describe('a tap that was not made', () => {
  type Refused = Extract<TapOutcome, { readonly ok: false }>;
  const refusal = (outcome: Refused, at = { x: 1, y: 1 }) => tapRefusal(outcome, at, seen('builtin', 'showing'));
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

  it.each<readonly [Exclude<Refused['reason'], 'outside'>, string, RegExp]>([
    ['not-shown', 'not-here', /^No display/],
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
    expect(whyUnclearable({ ...seen('builtin', phase), desired })).toBe(detail);
  });

  it('is not removed of another program, nor without an address', () => {
    expect(whyUnclearable({ ...seen('external', 'showing'), desired })).toMatch(/^Another program/);
    for (const none of [null, { ...desired, origin: null } as RendererActor['context']['desired']])
      expect(whyUnclearable({ ...seen('builtin', 'showing'), desired: none })).toMatch(/^There is nothing to remove/);
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import type { Recovery } from '#machines/advertiser/events.ts';
import { healthyRecovery, recover, type RecoveryEvent } from '#machines/advertiser/recovery.ts';

const missing: RecoveryEvent = { type: 'probed', result: 'missing' };
const visible: RecoveryEvent = { type: 'probed', result: 'visible' };
const died: RecoveryEvent = { type: 'failed', code: 'responder-died' };
const renewed: RecoveryEvent = { type: 'renewed' };
const begun = (token: number): RecoveryEvent => ({ type: 'begun', token });
const after = (events: readonly RecoveryEvent[], from: Recovery = healthyRecovery): Recovery =>
  events.reduce(recover, from);
const threeMisses = [missing, missing, missing];
const thrice = [...threeMisses, begun(1), ...threeMisses, begun(2), ...threeMisses, begun(3), ...threeMisses];

describe('recovery', () => {
  it.each<[string, readonly RecoveryEvent[], Partial<Recovery>]>([
    ['two misses are only counted', [missing, missing], { phase: 'healthy', misses: 2, pending: null }],
    [
      'the third miss reserves a rebuild at once',
      threeMisses,
      { phase: 'recovering', misses: 3, attempts: 1, pending: { token: 1, delayMs: 0 }, code: 'no-response' },
    ],
    ['misses must follow each other', [missing, missing, visible, missing], { phase: 'healthy', misses: 1 }],
    [
      'what is not provable is not counted',
      [missing, missing, { type: 'probed', result: 'inconclusive' }, { type: 'probed', result: 'unavailable' }],
      { misses: 2 },
    ],
    [
      'a dead responder reserves a rebuild at once',
      [died],
      { phase: 'recovering', pending: { token: 1, delayMs: 0 }, code: 'responder-died' },
    ],
    [
      'one rebuild answers several failures',
      [...threeMisses, died, missing],
      { attempts: 1, pending: { token: 1, delayMs: 0 }, code: 'no-response' },
    ],
    [
      'a rebuild that begins counts',
      [...threeMisses, begun(1)],
      { phase: 'recovering', misses: 0, rebuilds: 1, pending: null },
    ],
    [
      'a stale rebuild does nothing',
      [...threeMisses, begun(1), died, begun(1)],
      { rebuilds: 1, pending: { token: 2, delayMs: 60_000 } },
    ],
    [
      'the second comes after 60 s',
      [...threeMisses, begun(1), ...threeMisses],
      { attempts: 2, pending: { token: 2, delayMs: 60_000 } },
    ],
    [
      'the third after 300 s',
      [died, begun(1), died, begun(2), died],
      { attempts: 3, pending: { token: 3, delayMs: 300_000 } },
    ],
    ['then trying ends', thrice, { phase: 'exhausted', attempts: 3, rebuilds: 3, pending: null, code: 'no-response' }],
    ['and stays ended', [...thrice, missing, died, begun(4)], { phase: 'exhausted', rebuilds: 3, pending: null }],
    [
      'until it is visible again',
      [...thrice, visible],
      { phase: 'healthy', misses: 0, attempts: 0, rebuilds: 3, code: null },
    ],
    ['or everything starts over', [...thrice, renewed], { phase: 'healthy', attempts: 0, pending: null }],
    [
      'being visible takes a reserved rebuild back',
      [died, begun(1), ...threeMisses, visible],
      { phase: 'healthy', pending: null, token: 2 },
    ],
  ])('%s', (_, events, expected) => {
    expect(after(events)).toMatchObject(expected);
  });

  it('never rebuilds more than three times without having been visible or renewed', () => {
    const any = fc.oneof(
      fc.constant(missing),
      fc.constant(died),
      fc.nat(6).map(begun),
      fc.constant<RecoveryEvent>({ type: 'probed', result: 'unavailable' }),
    );
    fc.assert(
      fc.property(fc.array(any, { maxLength: 100 }), (events) => {
        expect(after(events).rebuilds).toBeLessThanOrEqual(3);
      }),
    );
  });

  it('leaves the state itself where nothing changes', () => {
    for (const event of [visible, renewed, begun(9)]) expect(recover(healthyRecovery, event)).toBe(healthyRecovery);
  });
});

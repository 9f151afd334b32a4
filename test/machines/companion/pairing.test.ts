import { describe, expect, it } from 'vitest';

import type { SessionCommand } from '#machines/companion/events.ts';
import { deviceOf, isTooOften } from '#machines/companion/pairing-limit.ts';
import { known, ready, type Rig, start } from './rig.ts';

type Step = (rig: Rig) => void;
type Outcome = Extract<SessionCommand, { readonly type: 'pairing.end' }>['outcome'];

const wants: Step = (rig) => rig.wants(1);
const confirms: Step = (rig) => rig.confirms(1);
const leaves: Step = (rig) => rig.leaves(1);
const kept: Step = (rig) => rig.kept(1);
const unkept: Step = (rig) => rig.hear({ type: 'keys.unkept', pairing: 1, code: 'ENOSPC' });
const waits: Step = (rig) => rig.clock.increment(60_000);
const says =
  (answer: 'approved' | 'denied' | 'expired' | 'no-place'): Step =>
  (rig) =>
    rig.answers(answer);

/** What Home Assistant was told of pairing 1, and what the keys were told to do. */
const told = (rig: Rig) => ({
  outcomes: rig.toSessions().flatMap((one): Outcome[] => (one.type === 'pairing.end' ? [one.outcome] : [])),
  keys: rig.toKeys().map(({ type }) => type),
});

describe('a pairing', () => {
  it.each<[string, readonly Step[], readonly Outcome[], readonly string[]]>([
    ['asks, and ends nothing', [wants], [], ['keys.hold']],
    ['is not stored when it is only confirmed', [wants, confirms], [], ['keys.hold']],
    ['is not stored when it is only approved', [wants, says('approved')], [], ['keys.hold']],
    ['is stored once both came', [wants, confirms, says('approved')], [], ['keys.hold', 'keys.keep']],
    ['is stored in either order', [wants, says('approved'), confirms], [], ['keys.hold', 'keys.keep']],
    [
      'is told of once it is on the disk',
      [wants, confirms, says('approved'), kept],
      ['paired'],
      ['keys.hold', 'keys.keep'],
    ],
    ['ends if the disk refuses it', [wants, confirms, says('approved'), unkept], ['busy'], ['keys.hold', 'keys.keep']],
    ['is denied, confirmed or not', [wants, confirms, says('denied')], ['denied'], ['keys.hold', 'keys.drop']],
    ['runs out', [wants, says('expired')], ['expired'], ['keys.hold', 'keys.drop']],
    ['has no place to be asked', [wants, says('no-place')], ['no-place'], ['keys.hold', 'keys.drop']],
    ['waits a minute for the digits', [wants, says('approved'), waits], ['expired'], ['keys.hold', 'keys.drop']],
    ['that was left is dropped', [wants, leaves], [], ['keys.hold', 'keys.drop']],
    ['that was left after the approval is dropped', [wants, says('approved'), leaves], [], ['keys.hold', 'keys.drop']],
    [
      'that was left while it was stored is taken back',
      [wants, confirms, says('approved'), leaves, kept],
      [],
      ['keys.hold', 'keys.keep', 'keys.revoke'],
    ],
    [
      'is not ended by the word of another one',
      [wants, (rig) => rig.leaves(2), (rig) => rig.confirms(2)],
      [],
      ['keys.hold'],
    ],
  ])('%s', (_, steps, outcomes, keys) => {
    const rig = ready();
    for (const step of steps) step(rig);
    expect(told(rig)).toEqual({ outcomes, keys });
  });

  it('asks with the digits and the name, and takes the question back when it is left', () => {
    const rig = ready();
    rig.wants(1);
    expect(rig.asked).toEqual([{ digits: '012345', name: 'Home 1' }]);
    expect(rig.facts().pairing).toEqual({ pairing: 1, name: 'Home 1', isConfirmed: false });
    rig.leaves(1);
    expect([rig.closedQuestions(), rig.facts().pairing]).toEqual([1, null]);
  });

  it('keeps no key and no digits among the facts', () => {
    const rig = ready();
    rig.wants(1);
    rig.confirms(1);
    expect(JSON.stringify(rig.facts())).not.toContain('abab');
    rig.answers('denied');
    expect(JSON.stringify(rig.facts())).not.toContain('012345');
  });
});

describe('no pairing begins', () => {
  const refusals = (rig: Rig): readonly Outcome[] => told(rig).outcomes;

  it('before the panel knows its name and its keys', () => {
    const rig = start();
    rig.wants(1);
    rig.paired();
    rig.wants(2);
    rig.named();
    expect(refusals(rig)).toEqual(['busy', 'busy']);
    rig.wants(3);
    expect(refusals(rig)).toEqual([]);
  });

  it('beside another one', () => {
    const rig = ready();
    rig.wants(1);
    rig.wants(2, { one: 2 });
    expect([refusals(rig), rig.asked.length]).toEqual([['pairing-busy'], 1]);
  });

  it('with eight keys, but for one of those eight', () => {
    const rig = ready();
    rig.paired(...[1, 2, 3, 4, 5, 6, 7, 8].map((one) => known(one)));
    rig.toSessions();
    rig.wants(1, { one: 9 });
    expect(refusals(rig)).toEqual(['too-many']);
    rig.wants(2, { one: 8 });
    expect([refusals(rig), rig.asked.length]).toEqual([[], 1]);
  });

  it('more than three times in five minutes from one device, and five from all', () => {
    const rig = ready();
    const attempt = (pairing: number, peer: string): readonly Outcome[] => {
      rig.wants(pairing, { peer });
      rig.leaves(pairing);
      return refusals(rig);
    };
    expect([1, 2, 3, 4].map((one) => attempt(one, '192.0.2.7'))).toEqual([[], [], [], ['pairing-too-often']]);
    expect([attempt(5, '192.0.2.8'), attempt(6, '192.0.2.9'), attempt(7, '192.0.2.10')]).toEqual([
      [],
      [],
      ['pairing-too-often'],
    ]);
    rig.clock.increment(299_999);
    expect(attempt(8, '192.0.2.7')).toEqual(['pairing-too-often']);
    rig.clock.increment(1);
    expect(attempt(9, '192.0.2.7')).toEqual([]);
  });

  it('counts an IPv6 network as one device', () => {
    expect(deviceOf('2001:db8::1')).toBe(deviceOf('2001:db8::2'));
    expect(deviceOf('2001:db8::1')).not.toBe(deviceOf('2001:db8:0:1::1'));
    const recent = [1, 2, 3].map((pairing) => ({ pairing, device: deviceOf('2001:db8::1') }));
    expect([isTooOften(recent, '2001:db8::9'), isTooOften(recent, '192.0.2.7')]).toEqual([true, false]);
  });
});

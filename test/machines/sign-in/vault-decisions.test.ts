import { describe, expect, it } from 'vitest';

import { passwordClientOf, unkeptEnds, unreachableOutcome } from '#machines/sign-in/judge-exchange.ts';
import {
  type HeldSecrets,
  isPasswordStale,
  judgeReading,
  type ReadingVerdict,
} from '#machines/sign-in/judge-reading.ts';
import { judgeStart, refusalOfLook, refusalOfSave } from '#machines/sign-in/judge-start.ts';

const home = 'http://192.168.1.20:8123';
const other = 'http://192.168.1.21:8123';
const panel = 'http://192.168.1.40:8888';

describe('a reading', () => {
  const nothing: ReadingVerdict = {
    isChange: false,
    dropsAttempt: false,
    endsPassword: false,
    replacesCredential: false,
    revokes: false,
  };
  const held: HeldSecrets = { known: home, method: null, attemptAt: null, passwordFor: null };

  it.each<[string, Partial<HeldSecrets>, string | null, boolean, Partial<ReadingVerdict>]>([
    ['of the same', { attemptAt: other, passwordFor: other, method: 'oauth' }, home, true, {}],
    ['that is the first', { known: undefined }, null, true, { isChange: true }],
    ['of another address drops the attempt', { attemptAt: home }, other, true, { isChange: true, dropsAttempt: true }],
    ['of the address that an attempt was begun with', { attemptAt: other }, other, true, { isChange: true }],
    ['of no address drops the attempt', { attemptAt: home }, null, true, { isChange: true, dropsAttempt: true }],
    ['of another address ends a password', { passwordFor: home }, other, true, { isChange: true, endsPassword: true }],
    ['of no address keeps a password', { passwordFor: home }, null, true, { isChange: true }],
    [
      'of another credential revokes a sign-in',
      { method: 'oauth' },
      home,
      false,
      { isChange: true, replacesCredential: true, revokes: true },
    ],
    [
      'of another credential leaves a long-lived token to its owner',
      { method: 'long-lived' },
      home,
      false,
      { isChange: true, replacesCredential: true },
    ],
    ['of the first credential', {}, home, false, { isChange: true, replacesCredential: true }],
  ])('%s', (_, before, origin, isSame, verdict) =>
    expect(judgeReading({ ...held, ...before }, { origin, isSame })).toEqual({ ...nothing, ...verdict }),
  );

  it.each([
    [null, home, false],
    [home, null, false],
    [home, home, false],
    [home, other, true],
  ])('a password for %s is stale at %s: %s', (passwordFor, origin, stale) =>
    expect(isPasswordStale(passwordFor, origin)).toBe(stale),
  );
});

describe('a start', () => {
  it.each([
    [null, home, home, null],
    [null, null, null, null],
    [other, home, other, null],
    // The save of the address says what is wrong with it.
    ['no address', home, null, null],
    ['http://127.0.0.1:8123', home, 'http://127.0.0.1:8123', 'address-loops-back'],
  ])('with %s where %s is set begins at %s, refused: %s', (haUrl, address, homeAssistant, code) => {
    const judged = judgeStart({ haUrl, panelOrigin: panel }, address);
    expect([judged.homeAssistant, judged.refusal?.code ?? null]).toEqual([homeAssistant, code]);
  });

  it('is refused where no person can be sent back', () =>
    expect(judgeStart({ haUrl: null, panelOrigin: 'http://100.64.0.9:8888' }, home).refusal?.code).toBe(
      'origin-refused-by-platform',
    ));

  it.each([
    [{ status: 'answered' }, null],
    [{ status: 'failed', error: 'local-address', code: 'local-address' }, null],
    [{ status: 'failed', error: 'unreachable', code: 'ECONNREFUSED' }, 'Nothing listens on port 8123 there.'],
  ] as const)('after a look that came to %o is refused with %s', (outcome, words) => {
    const refusal = refusalOfLook(outcome, home);
    if (words === null) expect(refusal).toBeNull();
    else expect(refusal).toMatchObject({ code: 'bad-address', message: expect.stringContaining(words) });
  });

  it.each([
    [{ status: 'kept' }, null],
    [{ status: 'refused', reasons: { ha_url: 'Too long.' } }, ['bad-address', 'Too long.']],
    [{ status: 'refused', reasons: {} }, ['bad-address', 'The address of Home Assistant was refused.']],
    [{ status: 'commit-failed', reason: 'ENOSPC' }, ['commit-failed', expect.stringContaining('repair the disk')]],
    [{ status: 'busy' }, ['operation-busy', expect.stringContaining('once it has ended')]],
  ] as const)('after a save that came to %o is refused with %j', (saved, refusal) => {
    const said = refusalOfSave(saved);
    expect(said === null ? null : [said.code, said.message]).toEqual(refusal);
  });
});

describe('an exchange', () => {
  it.each([
    ['refused', 'stale', 'password-stale'],
    ['commit-failed', 'commit-failed', 'password-not-kept'],
    ['busy', 'commit-failed', 'password-not-kept'],
  ] as const)('whose save is %s ends as %s, with a password as %s', (status, callback, password) =>
    expect(unkeptEnds[status]).toEqual({ callback, password }),
  );

  it('that was not answered says what is wrong with a certificate', () => {
    expect(unreachableOutcome('ECONNREFUSED')).toBe('unreachable');
    expect(unreachableOutcome('CERT_HAS_EXPIRED')).toBe('certificate-expired');
  });

  it('with a password is made as Home Assistant where it refuses the address of the panel', () => {
    expect(passwordClientOf(panel, home)).toBe(panel);
    expect(passwordClientOf('http://100.64.0.9:8888', home)).toBe(home);
  });
});

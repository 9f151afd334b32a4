import { describe, expect, it } from 'vitest';

import { type SecurityStatus, securityRows } from '#bin/security-row.ts';

const hardened: SecurityStatus = {
  mode: 'hardened',
  place: 'screen',
  place_detail: null,
  pending: 0,
  silent: false,
  barred: [],
};

const vnc = { code: 'vnc', message: 'A VNC server can be reached on port 5900.', command: null } as const;
const adbd = { code: 'adbd-running', message: 'The program adbd runs.', command: null } as const;

describe('the security mode in doctor', () => {
  it.each<[string, Partial<SecurityStatus>, string, string]>([
    ['before it is read', { mode: null }, 'checking', 'It is not read yet.'],
    [
      'Relaxed',
      {
        mode: 'relaxed',
        place: 'none',
        place_detail: 'It has no screen.',
        barred: [vnc],
      },
      'off',
      'Relaxed: what devices of the local network ask is done without a question.',
    ],
    ['Hardened', {}, 'working', 'Hardened: it asks on its screen.'],
    ['simulated', { place: 'simulator' }, 'working', 'Hardened: it asks on the page of the simulated panel.'],
    ['one request', { pending: 1 }, 'working', 'Hardened: it asks on its screen. 1 request waits.'],
    ['more requests', { pending: 3 }, 'working', 'Hardened: it asks on its screen. 3 requests wait.'],
    [
      'questions that were not answered',
      { pending: 3, silent: true },
      'needs_you',
      'Hardened: it asks on its screen. 3 requests wait. New questions wait behind a button on the panel’s own pages.',
    ],
    [
      'no place, in words',
      { place: 'none', place_detail: 'It has no screen.' },
      'needs_you',
      'Hardened, but this panel cannot ask. It has no screen.',
    ],
    [
      'something bars approving',
      { barred: [vnc, adbd], silent: true },
      'needs_you',
      'Hardened, and nothing can be approved. A VNC server can be reached on port 5900. The program adbd runs.',
    ],
  ])('%s', (_, security, state, detail) => {
    expect(securityRows({ ...hardened, ...security })).toMatchObject([{ title: 'Security mode', state, detail }]);
  });

  it('is left out for an agent that has none', () => {
    expect([securityRows(undefined), securityRows(null)]).toEqual([[], []]);
  });

  it('names what ends Hardened mode on a panel that cannot ask', () => {
    expect(securityRows({ ...hardened, place: 'none', place_detail: 'It has none.' })).toMatchObject([
      { fix: { command: 'bin/sconce approvals --relaxed' } },
    ]);
  });
});

import { expect, it } from 'vitest';

import { history } from '#machines/profile-catalog/history.ts';

const NOW = 1_000_000;
const [row] = history;
const at = (state: string, reason: string | null = null, since = NOW) => ({ state, reason, since });

const told = (before: object | null, after: object): readonly string[] | undefined =>
  row?.historyEvents(before, after, NOW).map(({ code, at: when }) => `${code} ${when}`);

it.each<readonly [string, object | null, object, readonly string[]]>([
  ['nothing new', at('trial', 'restart-due'), at('trial', 'restart-due', 7), []],
  ['one that waits for its restart', at('active'), at('trial', 'restart-due', 7), ['selected 7']],
  ['the restart into it', at('trial', 'restart-due'), at('trial', 'running'), []],
  ['one that is kept', at('trial', 'running'), at('active'), [`kept ${NOW}`]],
  ['one that was never on trial', at('rolled_back', 'crashed'), at('active'), []],
  ['the first look at one that is kept', null, at('active'), []],
  ['one that is taken back', at('trial', 'running'), at('rolled_back', 'crashed', 7), ['taken-back 7']],
  [
    'one taken back just before the start',
    null,
    at('rolled_back', 'crashed', NOW - 600_000),
    [`taken-back ${NOW - 600_000}`],
  ],
  ['one taken back long before the start', null, at('rolled_back', 'crashed', NOW - 600_001), []],
])('the history tells of a profile: %s', (_, before, after, expected) => {
  expect(told(before, after)).toEqual(expected);
});

it('the history tells nothing before the catalogue is there', () => {
  expect(row?.selector({ catalog: null }, 'loading')).toBeNull();
  expect(row?.selector({ catalog: { activation: at('active') } }, 'ready')).toEqual(at('active'));
});

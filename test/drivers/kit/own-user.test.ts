import { expect, it } from 'vitest';

import { ownUser } from '#drivers/kit/own-user.ts';
import { judgeReboot } from '#drivers/power/verdicts.ts';
import { notWritable } from '#drivers/screen/verdicts.ts';
import { missingSound } from '#drivers/volume/verdicts.ts';

it.each([
  ['sconce', 'sconce'],
  ['a.b-c', 'a.b-c'],
  ['two words', null],
  ['$(reboot)', null],
  ['', null],
])('the user %j is named in commands as %j', (username, name) => expect(ownUser(() => ({ username }))).toBe(name));

it('is not named where it has no name', () => {
  const nobody = (): never => {
    throw new Error('no such user');
  };
  expect(ownUser(nobody)).toBeNull();
});

it.each([
  [
    'the screen',
    (user: string | null) => notWritable('panel', user),
    'usermod -aG video sconce',
    'usermod -aG video "$USER"',
  ],
  [
    'the sound',
    (user: string | null) => missingSound(['failed'], true, user),
    'enable-linger sconce',
    'enable-linger "$USER"',
  ],
  [
    'the reboot',
    (user: string | null) => judgeReboot('no', true, false, user).verdict,
    's.user === "sconce"',
    `s.user === "'"$USER"'"`,
  ],
] as const)('the command for %s names the user that the agent runs as', (_, judge, named, unknown) => {
  expect(judge('sconce').fix?.command).toContain(named);
  expect(judge('sconce').fix?.command).not.toContain('$USER');
  expect(judge(null).fix?.command).toContain(unknown);
});

import { describe, expect, it } from 'vitest';

import { forRootShell, withoutSudo } from '#machines/kit/root-shell.ts';
import { needsYou, working } from '#machines/kit/verdict.ts';
import { isRootShell } from '#bin/root-shell.ts';

describe('a command for the shell of root', () => {
  it.each([
    ['sudo apt-get install -y chromium', 'apt-get install -y chromium'],
    ['sudo modprobe i2c-dev && echo i2c-dev | sudo tee /etc/x', 'modprobe i2c-dev && echo i2c-dev | tee /etc/x'],
    ["sudo groupadd -rf gpio && printf '%s' 'x' | sudo tee /y", "groupadd -rf gpio && printf '%s' 'x' | tee /y"],
    [
      'Copy it and run sudo update-ca-certificates; nothing more.',
      'Copy it and run update-ca-certificates; nothing more.',
    ],
    ['Run it again with sudo. Nothing was changed.', 'Run it again with sudo. Nothing was changed.'],
    ['pseudo code', 'pseudo code'],
  ])('%s', (text, typed) => expect(withoutSudo(text)).toBe(typed));

  it('is that of a verdict, in its sentences and in its fix', () => {
    const fix = { command: 'sudo x', effect: 'Does it.' };
    expect(forRootShell(needsYou('r', 'Run sudo x.', 'That sudo x ran.', fix))).toEqual(
      needsYou('r', 'Run x.', 'That x ran.', { ...fix, command: 'x' }),
    );
    expect(forRootShell(working('r', 'It works.'))).toEqual(working('r', 'It works.'));
  });
});

it.each([
  ['root', 0, {}, true],
  ['root by way of sudo, who types it again', 0, { SUDO_UID: '1000' }, false],
  ['somebody', 1000, {}, false],
] as const)('the shell of %s', (_, uid, env, is) => expect(isRootShell(uid, env)).toBe(is));

import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { systemPower } from '#drivers/power/system.ts';
import { judgeReboot, parseCanReboot } from '#drivers/power/verdicts.ts';
import type { PowerDriverCommand, PowerFact } from '#machines/power/events.ts';

import { isFact, runDriver } from '../run-driver.ts';

describe('judgeReboot', () => {
  it.each([
    ['yes', true, false, 'logind', 'working'],
    ['challenge', true, false, null, 'needs_you'],
    ['no', true, true, null, 'needs_you'],
    ['na', true, true, null, 'not_here'],
    [null, true, true, 'systemctl', 'working'],
    [null, true, false, null, 'not_here'],
    [null, false, true, null, 'not_here'],
  ] as const)('%s, systemd %s, root %s: %s', (says, systemd, root, route, state) => {
    const judged = judgeReboot(says, systemd, root);
    expect([judged.route, judged.verdict.state]).toEqual([route, state]);
    expect(judged.verdict.fix !== null).toBe(state === 'needs_you');
  });

  it.each([
    ['org.freedesktop.login1.reboot', 'wall', 'YES'],
    ['org.freedesktop.login1.reboot-multiple-sessions', 'wall', 'YES'],
    ['org.freedesktop.login1.reboot', 'somebody', undefined],
    ['org.freedesktop.login1.reboot-ignore-inhibit', 'wall', undefined],
    ['org.freedesktop.login1.reboot-anything', 'wall', undefined],
    ['org.freedesktop.login1.power-off', 'wall', undefined],
  ])('the rule that it advises answers %s of %s with %s', (id, user, answer) => {
    const command = judgeReboot('challenge', true, false, 'wall').verdict.fix?.command ?? '';
    const [, rule = ''] = /^echo '([^']+)' \| sudo tee \/etc\/polkit-1\/rules\.d\//.exec(command) ?? [];
    // As polkitd reads it: a script with the object `polkit` in sight.
    const polkit = {
      Result: { YES: 'YES' },
      addRule: (judge: (action: { readonly id: string }, subject: { readonly user: string }) => unknown) =>
        expect(judge({ id }, { user })).toBe(answer),
    };
    expect.assertions(1);
    runInNewContext(rule, { polkit });
  });

  it.each([
    ['s "yes"\n', 'yes'],
    ['s "challenge"\n', 'challenge'],
    ['s "maybe"\n', null],
    ['', null],
  ])('reads %j', (text, says) => expect(parseCanReboot(text)).toBe(says));
});

describe('the system’s reboot, with stand-ins for its tools', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sconce-power-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const standIn = async (tool: string, body: string): Promise<void> => {
    const path = join(folder, tool);
    await writeFile(path, `#!/bin/sh\necho "${tool} $*" >> ${join(folder, 'calls')}\n${body}\n`);
    await chmod(path, 0o755);
  };
  const calls = async (): Promise<string> => readFile(join(folder, 'calls'), 'utf8');
  // Only the stand-ins' folder comes first; both tools must be there, so that no real one is ever reached.
  const driver = (isRoot: boolean) =>
    runDriver<PowerDriverCommand, PowerFact>(
      systemPower({ env: { PATH: `${folder}:/usr/bin:/bin` }, systemdFolder: folder, isRoot }),
    );
  const route = isFact<PowerFact, 'reboot.route'>('reboot.route');

  it('asks logind whether it may, and reboots only when told', async () => {
    await standIn('busctl', `case "$*" in *CanReboot) echo 's "yes"';; esac`);
    await standIn('systemctl', 'exit 1');
    const running = driver(false);
    expect((await running.until(route)).route).toBe('logind');
    expect(await calls()).not.toMatch(/Reboot b/);
    running.tell({ type: 'reboot.do' });
    await running.until(isFact<PowerFact, 'reboot.begun'>('reboot.begun'));
    expect(await calls()).toMatch(/org\.freedesktop\.login1\.Manager Reboot b false/);
    running.stop();
  });

  it('uses systemctl as root where logind does not answer, and reports a refusal', async () => {
    await standIn('busctl', 'exit 1');
    await standIn('systemctl', 'exit 1');
    const running = driver(true);
    expect((await running.until(route)).route).toBe('systemctl');
    expect(await calls()).not.toContain('systemctl');
    running.tell({ type: 'reboot.do' });
    expect((await running.until(isFact<PowerFact, 'reboot.refused'>('reboot.refused'))).reason).toBe('failed');
    running.stop();
  });

  it('refuses where there is no route', async () => {
    await standIn('busctl', `echo 's "challenge"'`);
    await standIn('systemctl', 'exit 0');
    const running = driver(false);
    expect((await running.until(route)).verdict.reason).toBe('reboot-not-allowed');
    running.tell({ type: 'reboot.do' });
    expect((await running.until(isFact<PowerFact, 'reboot.refused'>('reboot.refused'))).reason).toBe('no-reboot-route');
    expect(await calls()).not.toContain('systemctl');
    running.stop();
  });
});

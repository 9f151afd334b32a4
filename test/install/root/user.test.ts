import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../../platform/kit/until.ts';
import { type Machine, makeMachine } from './machine.ts';
import { difference, listFiles } from './traces.ts';

let machine: Machine;
let before: readonly string[];

const answers = async (): Promise<boolean> => (await machine.get('/health')) !== null;
const agents = async (): Promise<string> =>
  (await machine.run('sh', '-c', 'ps -eo user=,args= | grep "[s]conce.cjs run"')).out;
const groups = async (): Promise<string> => (await machine.run('id', '-Gn', 'anna')).out;
const asAnna = (command: string) =>
  machine.run('runuser', '-u', 'anna', '--', 'env', 'XDG_RUNTIME_DIR=/run/user/1000', 'sh', '-c', command);

beforeAll(async () => {
  machine = await makeMachine(process.env['SCONCE_INSTALL_ROOT'] ?? '');
  await machine.boot();
  // Her desktop: a compositor that logind does not know of, as one that was started from a console.
  // And a desktop's greeter, which is not a user's session.
  await machine.run(
    'sh',
    '-c',
    'useradd --system --uid 990 greeter; mkdir -p /run/user/990; touch /run/user/990/wayland-0',
  );
  await machine.run(
    'sh',
    '-c',
    'useradd --create-home --uid 1000 --groups video anna; mkdir -p /run/user/1000; touch /run/user/1000/wayland-1; printf "# hers\\n" >/etc/udev/rules.d/60-sconce.rules',
  );
  before = await listFiles(machine);
});
afterAll(() => machine?.end());

describe('a machine with a desktop', () => {
  it('runs the agent as the user of the session that is found', async () => {
    await machine.run('sh', '-c', 'umask 077; echo Marker-mqtt-77 >/root/mqtt-pass');
    const given = ['--name', 'Hall', '--mqtt-broker', '127.0.0.1:1', '--mqtt-pass-file', '/root/mqtt-pass'];
    const installed = await machine.run(
      'node',
      '/srv/sconce/dist/sconce.cjs',
      'install',
      '--yes',
      '--no-packages',
      ...given,
    );
    expect(installed, installed.out + installed.err).toMatchObject({ code: 0 });
    expect(installed.out).toContain(
      'Sconce runs in the session of anna (--session user): anna has a compositor running here.',
    );
    expect(installed.out).not.toContain('package  ');
    expect(installed.out).not.toContain('Marker');
    await until('the agent', answers, 60_000);
    expect(await agents()).toMatch(/^anna .*sconce\.cjs run/);
    expect((await groups()).split(/\s+/)).toEqual(expect.arrayContaining(['video', 'input']));
    expect((await asAnna('systemd-analyze --user verify ~/.config/systemd/user/sconce.service')).err).toBe('');
  });

  it('has what it was given, in files of that user alone', async () => {
    const data = '/home/anna/.local/state/sconce';
    await until('it is taken', async () => (await machine.run('test', '-e', `${data}/given.json`)).code === 1, 60_000);
    expect((await machine.run('stat', '-c', '%U %a', data, `${data}/state.json`)).out).toBe('anna 700\nanna 600\n');
    expect((await machine.run('grep', '-c', 'Marker-mqtt-77', `${data}/state.json`)).out.trim()).toBe('1');
    const { out: journal } = await machine.run('journalctl', '--no-pager', '--all', '-o', 'export');
    expect(journal).toContain('Applied the settings from the command line.');
    expect(journal).not.toContain('Marker-mqtt-77');
    await machine.run('rm', '/root/mqtt-pass');
  });

  it('says nothing is missing when it is run again', async () => {
    const again = await machine.run('sconce', 'install', '--yes', '--no-packages');
    expect(again.out).toContain('Everything is there already.');
    const other = await machine.run('sconce', 'install', '--yes', '--session', 'kiosk');
    expect(other.code).toBe(1);
    expect(other.err).toContain('uninstall');
  });

  it('is there after the plug was pulled, before anybody has signed in', async () => {
    await machine.cutPower();
    await machine.boot();
    await until('the agent', answers, 60_000);
    expect(await agents()).toMatch(/^anna /);
  });

  it('keeps settings, hand-made changes and what was there before when it is taken away', async () => {
    await machine.run('sh', '-c', 'printf "# a change\\n" >>/etc/polkit-1/rules.d/60-sconce.rules');
    const removed = await machine.run('sconce', 'uninstall', '--yes');
    expect(removed, removed.err).toMatchObject({ code: 0 });
    expect(removed.out).toContain('/home/anna/.local/state/sconce stays');
    expect(removed.out).toContain('/etc/polkit-1/rules.d/60-sconce.rules was changed by hand and stays');
    expect((await machine.run('cat', '/etc/udev/rules.d/60-sconce.rules')).out).toBe('# hers\n');
    expect((await groups()).split(/\s+/)).toContain('video');
    expect((await groups()).split(/\s+/)).not.toContain('input');
    const left = difference(before, await listFiles(machine)).filter(
      (line) =>
        !/^[+-] (?:[0-9a-f]{64} {2})?\S*\/(?:home\/anna\/\.local|60-sconce\.rules|polkit-1\/rules\.d )/.test(line),
    );
    expect(left).toEqual([]);
  });
});

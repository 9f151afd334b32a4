import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { amount } from '../../fakes/amount.ts';
import { until } from '../../platform/kit/until.ts';
import { type Machine, makeMachine } from './machine.ts';
import { drawNothing } from './screen.ts';
import { difference, listFiles } from './traces.ts';

const sconce = ['node', '/srv/sconce/dist/sconce.cjs'] as const;

/** A container has no console and no graphics card: the same compositor draws unseen. */
const unseen =
  '[Service]\nTTYPath=\nStandardInput=null\nUtmpIdentifier=\nEnvironment=WLR_BACKENDS=headless WLR_LIBINPUT_NO_DEVICES=1\n';

/** Saves and selects a copy of the profile in use under the id given; prints what the selection answered. */
const takeCopy = `
const url = 'http://127.0.0.1:8888/api/v1/profiles';
const post = async (path, body, headers) => { const r = await fetch(url + path, { method: 'POST', body, headers }); return { status: r.status, ...(await r.json()) }; };
(async () => {
  const look = async () => { const r = await fetch(url); return r.ok ? r.json() : {}; };
  let catalog = await look();
  // As long as the agent looks at the machine there is no profile in use.
  for (let more = 100; !catalog.active && more > 0; more -= 1) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    catalog = await look();
  }
  const { active, catalog_revision } = catalog;
  const yaml = (await (await fetch(url + '/' + active.id + '/revisions/' + active.revision)).text()).replace(/^id: .*$/m, 'id: hall').replace(/fallback: true/, 'fallback: false').replace(/any: \\[\\]/, 'any: [{ priority: 1, all: [{ field: os_id, op: equals, values: [debian] }] }]');
  const type = { 'content-type': 'application/yaml' };
  const { preview_token, issues } = await post('/preview', yaml, type);
  const saved = await post('/import', yaml, { ...type, 'x-profile-preview-token': preview_token });
  const select = async () => {
    const { catalog_revision: now, profiles } = await (await fetch(url)).json();
    const { id, revision } = profiles.find((one) => one.id === 'hall') ?? {};
    return post('/select', JSON.stringify({ id, revision, expected_catalog_revision: now, confirm: true }), { 'content-type': 'application/json' });
  };
  let selected = await select();
  // An agent that has just started may still be looking at the machine.
  for (let more = 5; selected.error === 'catalog-stale' && more > 0; more -= 1) selected = await select();
  console.log(JSON.stringify({ selected, saved: saved.status, issues, before: catalog_revision }));
})();`;

let machine: Machine;
let before: readonly string[];

const answers = async (): Promise<boolean> => (await machine.get('/health')) !== null;

/** Command lines of the panel's user. */
const processes = async (): Promise<readonly string[]> =>
  (await machine.run('ps', '-u', 'sconce', '-o', 'args=')).out.split('\n').filter((line) => line !== '');

beforeAll(async () => {
  expect(existsSync(fileURLToPath(new URL('../../../dist/sconce.cjs', import.meta.url))), 'the bundle is built').toBe(
    true,
  );
  machine = await makeMachine(process.env['SCONCE_INSTALL_ROOT'] ?? '');
  await machine.boot();
  await machine.run(
    'sh',
    '-c',
    'mkdir -p /etc/systemd/system/sconce-kiosk.service.d && ' +
      `printf '${unseen.replaceAll('\n', '\\n')}' >/etc/systemd/system/sconce-kiosk.service.d/unseen.conf`,
  );
  await drawNothing(machine);
  // What an owner leaves who tried it with "bin/run" first.
  const document = JSON.stringify({
    version: 1,
    sections: { settings: { revision: 2, values: { friendly_name: 'Tried panel' }, expose: {} } },
  });
  await machine.run(
    'sh',
    '-euc',
    `umask 077; mkdir -p /root/.local/state/sconce/adb /root/.local/state/sconce/browser; cd /root/.local/state/sconce; printf '%s' '${document}' >state.json; echo key >adb/key; ln -s /etc/shadow adb/link; echo much >browser/kept`,
  );
  before = await listFiles(machine);
});
afterAll(() => machine?.end());

describe('a machine without a desktop', () => {
  it('only shows the list when that is asked for, and when nobody can be asked', async () => {
    const shown = await machine.run(...sconce, 'install', '--dry-run');
    expect(shown).toMatchObject({ code: 0, err: '' });
    for (const part of [
      '--session kiosk',
      '+ package  wlopm',
      ' already there; --all lists ',
      '+ user     sconce',
      'sconce joins video',
      '/etc/udev/rules.d/60-sconce.rules',
      '/etc/polkit-1/rules.d/60-sconce.rules',
    ]) {
      expect(shown.out).toContain(part);
    }
    expect(shown.out).not.toContain('= package');
    expect((await machine.run(...sconce, 'install', '--dry-run', '--all')).out).toContain('= package  labwc');
    const alone = await machine.run(...sconce, 'install');
    expect(alone.code).toBe(1);
    expect(alone.err).toContain('--yes');
    expect(difference(before, await listFiles(machine))).toEqual([]);
  });

  it('takes nobody else’s port for its own', async () => {
    const other = machine.start(
      'node',
      '-e',
      "require('node:http').createServer((_, answer) => answer.end('ok')).listen(8888)",
    );
    await until('the other program', answers, 10_000);
    const refused = await machine.run(...sconce, 'install', '--yes');
    expect(refused.code).toBe(1);
    expect(refused.err).toContain('port 8888');
    await machine.run('sh', '-c', 'kill $(pgrep -f "[c]reateServer")');
    await new Promise((resolve) =>
      other.exitCode !== null || other.signalCode !== null ? resolve(null) : other.once('exit', resolve),
    );
    expect(difference(before, await listFiles(machine))).toEqual([]);
  });

  it('takes no settings along that an agent still uses', async () => {
    const agent = machine.start(...sconce, 'run', '--port', '9000', '--no-discovery', '--renderer', 'none');
    const ended = new Promise((resolve) => agent.once('exit', resolve));
    await until('the agent', async () => (await machine.get('/health', 9000)) !== null, 20_000);
    const refused = await machine.run(...sconce, 'install', '--yes');
    expect(refused.code).toBe(1);
    expect(refused.err).toContain('An agent that was started by hand uses the settings in /root/.local/state/sconce');
    await machine.run('sh', '-c', 'kill $(pgrep -f "[s]conce.cjs run")');
    await ended;
    expect((await machine.run('test', '-e', '/var/lib/sconce')).code, 'nothing was changed').toBe(1);
    // It has saved what it found of this machine.
    before = await listFiles(machine);
  });

  it('finishes an installation that was killed in the middle', async () => {
    const half = machine.start(...sconce, 'install', '--yes');
    const ended = new Promise((resolve) => half.once('exit', (code, signal) => resolve(signal ?? code)));
    // Within the machine: each step into it takes longer than some steps of the installation.
    // One process that reads the list: what starts a program for each look keeps a core busy for as long as apt works.
    const kill = `setInterval(() => {
      const list = '/usr/local/lib/sconce/installed.json';
      if (!fs.existsSync(list) || !fs.readFileSync(list, 'utf8').includes('"kind": "user"')) return;
      child_process.execFileSync('sh', ['-c', 'kill -9 $(pgrep -f "[s]conce.cjs install")']);
      process.exit();
    }, 5)`;
    expect((await machine.run('timeout', '150', 'node', '-e', kill)).code).toBe(0);
    expect(await ended).not.toBe(0);
    expect((await machine.run('test', '-e', '/etc/systemd/system/sconce.service')).code, 'it was not done yet').toBe(1);
    const whole = await machine.run(...sconce, 'install', '--yes');
    expect(whole, whole.out).toMatchObject({ code: 0 });
    expect(whole.out).toContain('The panel is running.');
    expect(await answers()).toBe(true);
    expect((await machine.run('dpkg-query', '-W', '-f', '${db:Status-Status}', 'wlopm')).out).toBe('installed');
  });

  it('goes on with what was set up before it was installed, but for what the browser keeps', async () => {
    expect(JSON.parse((await machine.get('/api/v1/config')) ?? '')).toMatchObject({ friendly_name: 'Tried panel' });
    const folder = '/var/lib/sconce';
    const files = await machine.run('stat', '-c', '%n %U %a', `${folder}/state.json`, `${folder}/adb/key`);
    expect(files.out).toBe(`${folder}/state.json sconce 600\n${folder}/adb/key sconce 600\n`);
    // A link is copied as one: it leads no further than the panel's user may go.
    expect((await machine.run('test', '-L', `${folder}/adb/link`)).code).toBe(0);
    expect((await machine.run('test', '-e', `${folder}/browser/kept`)).code).toBe(1);
    expect((await machine.run('cat', '/root/.local/state/sconce/adb/key')).out, 'the original stays').toBe('key\n');
  });

  it('says that everything is there when it is run again, and repairs what was lost', async () => {
    const again = await machine.run('sconce', 'install', '--yes');
    expect(again).toMatchObject({ code: 0 });
    expect(again.out).toContain('Everything is there already.');
    await machine.run('rm', '/etc/udev/rules.d/60-sconce.rules');
    expect((await machine.run('sconce', 'install', '--yes')).code).toBe(0);
    expect((await machine.run('test', '-s', '/etc/udev/rules.d/60-sconce.rules')).code).toBe(0);
  });

  it('has units that systemd finds no fault with, and a closed one for the agent', async () => {
    const verified = await machine.run(
      'systemd-analyze',
      'verify',
      '/etc/systemd/system/sconce.service',
      '/etc/systemd/system/sconce-kiosk.service',
    );
    expect(verified).toEqual({ code: 0, out: '', err: '' });
    const security = await machine.run(
      'systemd-analyze',
      'security',
      '--offline=true',
      '--no-pager',
      '/etc/systemd/system/sconce.service',
    );
    const [, score] = /Overall exposure level for sconce\.service: (\d+\.\d+)/.exec(security.out) ?? [];
    expect(Number(score)).toBeGreaterThan(0);
    expect(Number(score), security.out.split('\n').at(-2)).toBeLessThanOrEqual(3);
  });

  it('is a panel again after the plug was pulled, without a hand', async () => {
    await machine.cutPower();
    await machine.boot();
    await until('the agent', answers, 60_000);
    await until(
      'the screen',
      async () => (await processes()).some((line) => line.startsWith('/usr/bin/labwc')),
      30_000,
    );
    await until(
      'the browser with a page on that screen',
      async () =>
        (await processes()).some(
          (line) => line.includes('--type=renderer') && line.includes('--ozone-platform=wayland'),
        ),
      60_000,
    );
    expect((await processes()).filter((line) => line.includes('--no-sandbox'))).toEqual([]);
    expect(
      (
        await machine.run(
          'stat',
          '-c',
          '%U',
          `/proc/${(await machine.run('systemctl', 'show', '-P', 'MainPID', 'sconce.service')).out.trim()}`,
        )
      ).out.trim(),
    ).toBe('sconce');
  });

  it('keeps the agent up while the screen is away', async () => {
    const started = (await machine.run('systemctl', 'show', '-P', 'MainPID', 'sconce.service')).out;
    expect((await machine.run('systemctl', 'stop', 'sconce-kiosk.service')).code).toBe(0);
    expect(await answers()).toBe(true);
    expect((await machine.run('systemctl', 'start', 'sconce-kiosk.service')).code).toBe(0);
    expect((await machine.run('systemctl', 'show', '-P', 'MainPID', 'sconce.service')).out).toBe(started);
  });

  it('changes over to another profile by a restart of its own, and keeps it once it has proved itself', async () => {
    const dropIn = '/run/systemd/system/sconce.service.d';
    await machine.run(
      'sh',
      '-c',
      `mkdir -p ${dropIn} && printf '[Service]\nEnvironment=SCONCE_TRIAL_MS=2000,40000,3000\n' >${dropIn}/trial.conf && systemctl daemon-reload && systemctl restart sconce.service`,
    );
    await until('the agent', answers, 60_000);
    const asked = await machine.run('node', '-e', takeCopy);
    expect(asked.err).toBe('');
    expect(JSON.parse(asked.out), asked.out).toMatchObject({
      saved: 'saved',
      selected: { status: 'scheduled' },
    });
    const listed = async (): Promise<{
      readonly active?: { readonly id: string };
      readonly activation?: { readonly state: string };
    }> => {
      const answer = await machine.get('/api/v1/profiles');
      // The route's own schema is checked in the route tests.
      return answer === null ? {} : (JSON.parse(answer) as Awaited<ReturnType<typeof listed>>);
    };
    await until(
      'the new profile in use',
      async () => {
        const { active, activation } = await listed();
        return active?.id === 'hall' && activation?.state === 'active';
      },
      60_000,
    );
    // An end that was asked for is no failure, and all the same one after which the unit starts again.
    expect((await machine.run('journalctl', '-u', 'sconce.service', '--no-pager', '-o', 'cat')).out).toMatch(
      /restarts to use another profile[^]*Deactivated successfully[^]*Scheduled restart job/,
    );
    expect((await machine.run('systemctl', 'is-failed', 'sconce.service')).out.trim()).toBe('active');
    await machine.run('sh', '-c', `rm -r ${dropIn} && systemctl daemon-reload`);
    // The screen has been seen: the browser would only be started with each agent that follows.
    await drawNothing(machine);
    expect((await machine.run('systemctl', 'restart', 'sconce-kiosk.service')).code).toBe(0);
    await until(
      'no browser',
      async () => !(await processes()).some((line) => line.includes('--type=renderer')),
      60_000,
    );
  });

  it('is tried for ever, however often the agent fails', async () => {
    const dropIn = '/run/systemd/system/sconce.service.d/quick.conf';
    await machine.run(
      'sh',
      '-c',
      `mkdir -p ${dropIn.replace(/\/[^/]*$/, '')} && ` +
        `printf '[Service]\\nRestartSec=100ms\\n' >${dropIn} && systemctl daemon-reload`,
    );
    const restarts = async (): Promise<number> =>
      Number((await machine.run('systemctl', 'show', '-P', 'NRestarts', 'sconce.service')).out);
    const start = await restarts();
    // systemd gives up after five starts in ten seconds, unless the unit says otherwise.
    const ends = amount(6, 15);
    await until(
      `${ends} ends in a row`,
      async () => {
        await machine.run('systemctl', 'kill', '--kill-whom=main', '--signal=KILL', 'sconce.service');
        return (await restarts()) - start >= ends;
      },
      60_000,
    );
    await machine.run('sh', '-c', `rm -r ${dropIn.replace(/\/[^/]*$/, '')} && systemctl daemon-reload`);
    await until('the agent', answers, 60_000);
  });

  it('changes over to a newer program while the agent runs, also with a strict umask', async () => {
    const invocation = async (): Promise<string> =>
      (await machine.run('systemctl', 'show', '-P', 'InvocationID', 'sconce.service')).out;
    const [program, running] = [
      (await machine.run('readlink', '/usr/local/lib/sconce/program')).out,
      await invocation(),
    ];
    await machine.run(
      'sh',
      '-c',
      'umask 077; cp -r /srv/sconce/dist /root/dist; mkdir /root/node_modules; cp -r /srv/sconce/node_modules/koffi /srv/sconce/node_modules/@koromix /root/node_modules/; echo newer >/root/dist/newer.txt',
    );
    const newer = await machine.run('sh', '-c', 'umask 077; node /root/dist/sconce.cjs install --yes');
    expect(newer, newer.out + newer.err).toMatchObject({ code: 0, err: '' });
    expect(newer.out).toMatch(/~ folder {3}\/usr\/local\/lib\/sconce .*\n/);
    expect((await machine.run('readlink', '/usr/local/lib/sconce/program')).out).not.toBe(program);
    expect(await invocation()).not.toBe(running);
    expect((await machine.run('sh', '-c', 'ls -d /usr/local/lib/sconce/program-* | wc -l')).out.trim()).toBe('1');
    expect(
      (await machine.run('find', '/usr/local/lib/sconce', '/usr/local/bin/sconce', '!', '-perm', '-o=r')).out,
      'what not everybody may read',
    ).toBe('');
    await machine.run('rm', '-r', '/root/dist', '/root/node_modules');
  });

  it('is left as it was found', async () => {
    const removed = await machine.run('sconce', 'uninstall', '--yes', '--purge', '--purge-packages');
    expect(removed, removed.out).toMatchObject({ code: 0, err: '' });
    expect(difference(before, await listFiles(machine))).toEqual([]);
    expect((await machine.run('getent', 'passwd', 'sconce')).code).not.toBe(0);
    expect((await machine.run(...sconce, 'uninstall', '--yes')).out).toContain('nothing to remove');
  });
});

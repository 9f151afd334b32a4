import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../../platform/kit/until.ts';
import { type Machine, makeMachine } from './machine.ts';
import { difference, listFiles } from './traces.ts';

const sconce = ['node', '/srv/sconce/dist/sconce.cjs'] as const;
const folder = '/var/lib/sconce';
const secrets = ['Marker-mqtt-77', 'Marker-mqtt-88', 'Marker-wrong-66', 'Marker-right-55'] as const;
const [mqtt, otherMqtt, wrong, right] = secrets;

/** As much of Home Assistant as a sign-in with a password asks for; it knows one password. */
const home = `
const answers = (path, body) => {
  if (path === '/auth/login_flow') return { type: 'form', step_id: 'init', flow_id: 'flow' };
  if (path === '/auth/login_flow/flow')
    return JSON.parse(body).password === '${right}'
      ? { type: 'create_entry', result: 'code' }
      : { type: 'form', step_id: 'init', flow_id: 'flow', errors: { base: 'invalid_auth' } };
  if (path === '/auth/token') return { access_token: 'access', refresh_token: 'refresh', expires_in: 1800, token_type: 'Bearer' };
  return null;
};
require('node:http').createServer((request, response) => {
  let body = '';
  request.on('data', (piece) => (body += piece)).on('end', () => {
    const answer = answers(request.url, body);
    response.writeHead(answer === null ? 404 : 200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  });
}).listen(8123, '127.0.0.1');`;

let machine: Machine;
let before: readonly string[];
const said: string[] = [];

const sh = (command: string) => machine.run('sh', '-c', command);
const write = (name: string, text: string, mode = '600') =>
  sh(`umask 077; printf '%s\\n' '${text}' >/root/${name}; chmod ${mode} /root/${name}`);
const get = async (path: string): Promise<string> => (await machine.get(path)) ?? '';
async function install(...args: readonly string[]) {
  const ended = await machine.run(...sconce, 'install', '--yes', '--no-packages', ...args);
  said.push(ended.out, ended.err);
  return ended;
}
async function signIn(): Promise<{ readonly phase?: string; readonly password?: string }> {
  const status = await get('/api/v1/status');
  // The route's own schema is checked in the route tests.
  return status === '' ? {} : ((JSON.parse(status) as { sign_in: Awaited<ReturnType<typeof signIn>> }).sign_in ?? {});
}
const config = async (): Promise<object> => JSON.parse(await get('/api/v1/config')) as object;
const stats = async (...files: readonly string[]) => (await machine.run('stat', '-c', '%n %U %a', ...files)).out;

const login = ['--ha-url', 'http://127.0.0.1:8123', '--ha-user', 'wall', '--ha-pass-file', '/root/ha-pass'];
const broker = ['--mqtt-broker', '127.0.0.1:1', '--mqtt-user', 'wall', '--mqtt-pass-file', '/root/mqtt-pass'];
const names = ['--name', 'Hall panel', '--panel-id', 'hall', '--home-dashboard', '/lovelace/hall'];

beforeAll(async () => {
  machine = await makeMachine(process.env['SCONCE_INSTALL_ROOT'] ?? '');
  await machine.boot();
  await write('mqtt-pass', mqtt);
  await write('ha-pass', wrong, '644');
  machine.start('node', '-e', home);
  before = await listFiles(machine);
});
afterAll(() => machine?.end());

describe('an installation that sets the panel up', () => {
  it('refuses a password that others can read before anything is changed, with the repair', async () => {
    const refused = await install(...names, ...broker, ...login);
    expect(refused.code).toBe(1);
    expect(refused.err).toContain('chmod 600 /root/ha-pass');
    expect((await install('--mqtt-broker', 'http://h')).code).toBe(2);
    await sh('chmod 600 /root/ha-pass');
    const shown = await install('--dry-run', ...names, ...broker, ...login, '--profile', 'linux');
    expect(shown.code, shown.err).toBe(0);
    expect(shown.out).toMatch(
      /\+ settings \/var\/lib\/sconce .*--mqtt-pass-file.*--ha-pass-file.*only sconce can read/,
    );
    expect(difference(before, await listFiles(machine)).filter((line) => !line.includes('/root/ha-pass '))).toEqual([]);
  });

  it('is a panel with all of it, whose agent alone can read what it still needs', async () => {
    const installed = await install(...names, ...broker, ...login, '--profile', 'linux');
    expect(installed, installed.out + installed.err).toMatchObject({ code: 0 });
    await until('the password is refused', async () => (await signIn()).password === 'password-refused', 60_000);
    expect(await config()).toMatchObject({
      friendly_name: 'Hall panel',
      panel_id: 'hall',
      mqtt_broker: 'mqtt://127.0.0.1:1',
      mqtt_user: 'wall',
      mqtt_password_set: true,
      ha_url: 'http://127.0.0.1:8123',
      settings: expect.objectContaining({ home_dashboard: '/lovelace/hall' }),
    });
    const [state, given] = [`${folder}/state.json`, `${folder}/given.json`];
    expect(await stats(folder, state, given)).toBe(`${folder} sconce 700\n${state} sconce 600\n${given} sconce 600\n`);
    expect((await sh(`grep -c ${mqtt} ${given}`)).out.trim(), 'what was taken is there no more').toBe('0');
    expect((await sh(`grep -l -e ${wrong} ${folder}/*.json*`)).out.trim()).toBe(given);
    const { out: unit } = await machine.run('systemctl', 'cat', 'sconce.service');
    expect(unit).toMatch(/^ExecStart=.* run --profile auto --default-profile linux$/m);
  });

  it('is told in words by doctor why nobody is signed in', async () => {
    const doctor = await machine.run('sconce', 'doctor');
    expect(doctor.code).toBe(1);
    expect(doctor.out).toContain('Home Assistant does not take the user and password that this panel was given');
    await sh(`chmod 644 ${folder}/given.json`);
    const open = await machine.run('sconce', 'doctor');
    expect(open.out).toContain(`chmod 600 ${folder}/given.json`);
    said.push(doctor.out, open.out);
    await sh(`chmod 600 ${folder}/given.json`);
  });

  it('signs in once it is given the right password, and keeps no password', async () => {
    await write('ha-pass', right);
    const again = await install(...login);
    expect(again, again.out + again.err).toMatchObject({ code: 0 });
    await until('it is signed in', async () => (await signIn()).phase === 'signed-in', 60_000);
    await until('nothing is left', async () => (await machine.run('test', '-e', `${folder}/given.json`)).code === 1);
    expect((await sh(`grep -rl -e ${wrong} -e ${right} ${folder}/state.json*`)).out).toBe('');
    expect(await config()).toMatchObject({ friendly_name: 'Hall panel', mqtt_password_set: true });
  });

  it('has nothing to do where it is given the same again', async () => {
    const { out: running } = await machine.run('systemctl', 'show', '-P', 'InvocationID', 'sconce.service');
    const again = await install('--all', ...names, ...broker, ...login, '--profile', 'linux');
    expect(again.out).toContain(`= settings ${folder} `);
    expect((await machine.run('systemctl', 'show', '-P', 'InvocationID', 'sconce.service')).out).toBe(running);
  });

  it('changes what nobody changed on the panel, and says what is kept', async () => {
    const save = `fetch('http://127.0.0.1:8888/api/v1/config', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"friendly_name":"Mine"}' }).then((r) => process.exit(r.ok ? 0 : 1))`;
    expect((await machine.run('node', '-e', save)).code).toBe(0);
    await write('mqtt-pass', otherMqtt);
    const changed = await install('--name', 'Other', '--home-dashboard', '/lovelace/kitchen', ...broker);
    expect(changed, changed.out + changed.err).toMatchObject({ code: 0 });
    expect(changed.out).toMatch(/Kept as set on the panel, and not changed by this: Name\./);
    await until('it is taken', async () => (await sh(`grep -c ${otherMqtt} ${folder}/state.json`)).out.trim() === '1');
    expect(await config()).toMatchObject({
      friendly_name: 'Mine',
      settings: expect.objectContaining({ home_dashboard: '/lovelace/kitchen' }),
    });
    const { out: journal } = await sh('journalctl -u sconce.service -o cat --no-pager');
    expect(journal).toMatch(/friendly_name.*Kept what was set on the panel/);
    expect((await machine.run('systemctl', 'cat', 'sconce.service')).out, 'also the profile').toContain(
      '--default-profile linux',
    );
  });

  it('reads what systemd hands to a service, which is never taken for open', async () => {
    const asService = [
      'systemd-run',
      '--wait',
      '--pipe',
      '--quiet',
      '--collect',
      '--property=User=sconce',
      '--property=PrivateTmp=yes',
      '--property=LoadCredential=ha-pass:/root/ha-pass',
      '--property=LoadCredential=mqtt-pass:/root/mqtt-pass',
      'sh',
      '-c',
    ] as const;
    // The port is taken by the panel itself, which ends this one once it has read its files.
    const run = `exec node /srv/sconce/dist/sconce.cjs run --data /tmp/data --no-discovery --renderer none --profile simulated --ha-url h --ha-user wall --ha-pass-file $CREDENTIALS_DIRECTORY/ha-pass --mqtt-pass-file $CREDENTIALS_DIRECTORY/mqtt-pass`;
    const shown = await machine.run(...asService, 'stat -c "%U %a" "$CREDENTIALS_DIRECTORY/ha-pass"');
    const ended = await machine.run(...asService, run);
    expect(shown.out, shown.err).toMatch(/^(?:root 440|sconce 400)\n$/);
    expect(ended.out + ended.err).toContain('port 8888 is taken');
    expect(ended.out + ended.err).not.toMatch(/read by others|Marker/);
  });

  it('leaves no secret in the journal, in a unit, in the list of what was added or on a command line', async () => {
    const { out: journal } = await sh('journalctl --no-pager -o export --all');
    const { out: processes } = await sh('cat /proc/[0-9]*/cmdline /proc/[0-9]*/environ | tr "\\0" "\\n"');
    const { out: files } = await sh(
      `grep -rl -e Marker- /etc /usr/local /run /var/log /tmp /var/tmp --exclude-dir=credentials 2>/dev/null; true`,
    );
    expect(journal).toContain('sconce');
    expect(files).toBe('');
    for (const secret of secrets)
      for (const text of [journal, ...said]) expect(text.includes(secret), secret).toBe(false);
    // The Home Assistant of this test knows its password by its own command line.
    expect(processes.split('\n').filter((line) => line.includes('Marker-') && !line.includes(right))).toEqual([]);
  });

  it('takes away what the agent did not take, and leaves the settings', async () => {
    await machine.run('systemctl', 'stop', 'sconce.service');
    await sh(`printf x >${folder}/given.json; chown sconce: ${folder}/given.json`);
    const removed = await machine.run('sconce', 'uninstall', '--yes');
    expect(removed, removed.err).toMatchObject({ code: 0 });
    expect(removed.out).toContain('settings that the panel has not applied yet');
    expect((await machine.run('test', '-e', `${folder}/given.json`)).code).toBe(1);
    expect((await sh(`grep -c Mine ${folder}/state.json`)).out.trim()).toBe('1');
  });

  it('goes on with the settings that were left, when it is installed and given something again', async () => {
    const installed = await install('--home-dashboard', '/lovelace/door');
    expect(installed, installed.out + installed.err).toMatchObject({ code: 0 });
    await until('it is taken', async () => (await get('/api/v1/config')).includes('/lovelace/door'), 60_000);
    expect(await config()).toMatchObject({ friendly_name: 'Mine', panel_id: 'hall' });
    expect(await stats(`${folder}/state.json`)).toBe(`${folder}/state.json sconce 600\n`);
    const removed = await machine.run('sconce', 'uninstall', '--yes', '--purge');
    expect(removed, removed.err).toMatchObject({ code: 0 });
    const left = difference(before, await listFiles(machine)).filter(
      (line) => !/ ?\/root\/(?:ha|mqtt)-pass /.test(line),
    );
    expect(left).toEqual([]);
  });
});

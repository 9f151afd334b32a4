import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer } from 'node:tls';
import { expect, inject, it, onTestFinished } from 'vitest';
import { certificates } from '../drivers/certificates.ts';
import { Agent } from './kit/agent.ts';
import { until } from './kit/until.ts';

const BUNDLE = '/etc/ssl/certs/ca-certificates.crt';
const mounts = spawnSync('unshare', ['--mount', 'true']).status === 0;

it.skipIf(!mounts)(
  `a Home Assistant that moves to https by the owner's save keeps its token${mounts ? '' : ': no mounts here'}`,
  async () => {
    const home = inject('homeAssistant');
    const folder = mkdtempSync(join(tmpdir(), 'sconce-https-'));
    const authority = certificates(folder).authority('home');
    const proxy = createServer(authority.issue('server', { altNames: 'IP:127.0.0.1' }), (socket) => {
      const behind = connect(Number(new URL(home.url).port), '127.0.0.1');
      for (const end of [socket, behind]) end.on('error', () => {});
      socket.pipe(behind).pipe(socket);
    }).listen(0, '127.0.0.1');
    await once(proxy, 'listening');
    // What the system of the panel trusts, with the owner's authority: `update-ca-certificates`.
    const trusted = join(folder, 'trusted.crt');
    writeFileSync(trusted, `${readFileSync(BUNDLE, 'utf8')}\n${authority.pem}`);
    const agent = await Agent.start({
      through: ['unshare', '--mount', 'sh', '-c', `mount --bind "$0" ${BUNDLE} && exec "$@"`, trusted],
    });
    onTestFinished(async () => {
      await agent.stop();
      proxy.close();
      rmSync(folder, { recursive: true, force: true });
    });
    const isIn = async () => {
      const { sign_in: signIn } = await agent.status();
      return signIn?.phase === 'signed-in' && signIn.reachable && signIn.administrator !== null ? signIn : false;
    };
    expect((await agent.post('/api/v1/config', { ha_url: home.url, ha_token: home.token })).code).toBe(200);
    await until('it is signed in over http', isIn);

    const secure = `https://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
    const saved = await agent.post('/api/v1/config', { ha_url: secure, ha_token: home.token });
    expect([saved.code, JSON.parse(saved.text)]).toMatchObject([200, { ha_url: secure, ha_token_set: true }]);
    let last: unknown;
    await until('it is signed in over https', async () => {
      const { sign_in: signIn, configuration } = await agent.status();
      last = [signIn, configuration.revision];
      return signIn?.settings_revision === configuration.revision ? isIn() : false;
    }).catch((error: unknown) => {
      throw new Error(`it is ${JSON.stringify(last)}`, { cause: error });
    });
    // An address alone takes the token away: it was for the other one.
    expect((await agent.post('/api/v1/config', { ha_url: home.url })).code).toBe(200);
    await until('it is signed out', async () => (await agent.status()).sign_in?.phase === 'needed');
  },
);

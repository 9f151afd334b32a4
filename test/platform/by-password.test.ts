import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import type { StatusDocument } from '#machines/status.ts';
import { resident } from './home-assistant/onboard.ts';
import { Agent } from './kit/agent.ts';
import { until } from './kit/until.ts';

type SignIn = NonNullable<StatusDocument['sign_in']>;

const home = inject('homeAssistant');
const wrong = 'wrong-password-77';
const folder = mkdtempSync(join(tmpdir(), 'sconce-password-'));
const file = join(folder, 'password');
const sockets = new Set<Socket>();
let passwords = 0;
let way: Server;
let agent: Agent;

function write(password: string): void {
  writeFileSync(file, `${password}\n`);
  chmodSync(file, 0o600);
}

/** A way to the Home Assistant of the suite that counts the passwords: each comes over a connection of its own. */
const countingWay = (): Server =>
  createServer((near) => {
    const far = connect(Number(new URL(home.url).port), '127.0.0.1');
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => void sockets.delete(socket));
    }
    near.on('data', (bytes: Buffer) => {
      if (bytes.toString('latin1').startsWith('POST /auth/login_flow/')) passwords += 1;
    });
    near.pipe(far).pipe(near);
  });

beforeAll(async () => {
  way = countingWay().listen(0, '127.0.0.1');
  await once(way, 'listening');
  write(wrong);
  // A listening TCP server has an AddressInfo.
  const url = `http://127.0.0.1:${(way.address() as AddressInfo).port}`;
  agent = await Agent.start({ args: ['--ha-url', url, '--ha-user', resident.username, '--ha-pass-file', file] });
});

afterAll(async () => {
  await agent?.stop();
  for (const socket of sockets) socket.destroy();
  way?.close();
  rmSync(folder, { recursive: true, force: true });
});

const signIn = (what: string, wanted: (signIn: SignIn) => boolean): Promise<SignIn> =>
  until(what, async () => {
    const state = (await agent.status()).sign_in;
    return state !== null && wanted(state) ? state : false;
  });
const isIn = ({ phase, administrator, reachable }: SignIn): boolean =>
  phase === 'signed-in' && administrator === false && reachable === true;

const stored = (): string => readFileSync(join(agent.data, 'state.json'), 'utf8');

describe('a password from a file', () => {
  it('that is wrong is asked once, and said', async () => {
    await signIn('it is refused', ({ password }) => password === 'password-refused');
    expect((await agent.status()).capabilities.find(({ id }) => id === 'sign-in')).toMatchObject({
      state: 'needs_you',
      reason: 'password-refused',
    });
    expect(passwords).toBe(1);
    expect(stored()).not.toContain('ha_oauth');
  });

  it('that is right signs in at the next start, and keeps tokens alone', async () => {
    await agent.kill();
    write(resident.password);
    await agent.startAgain();
    expect(await signIn('it is signed in', isIn)).toMatchObject({ method: 'oauth', password: 'none' });
    // The wrong one was not tried again meanwhile.
    expect(passwords).toBe(2);
    expect(stored()).toContain('ha_oauth');
  });

  it('is not asked for by a restart, which is signed in by its tokens', async () => {
    await agent.kill();
    await agent.startAgain();
    expect(await signIn('it is signed in again', isIn)).toMatchObject({ method: 'oauth', password: 'none' });
    expect(passwords).toBe(2);
  });

  it('is nowhere but in its file', async () => {
    const pages = ['/', '/sign-in', '/logs', '/api/v1/status', '/api/v1/diag', '/api/v1/config', '/api/v1/history'];
    const seen = [agent.output, stored(), ...(await Promise.all(pages.map((path) => agent.text(path))))];
    for (const [index, text] of seen.entries())
      for (const password of [wrong, resident.password]) expect(text.includes(password), `text ${index}`).toBe(false);
  });
});

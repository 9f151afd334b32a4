import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { inAll } from '#test/fakes/in-all.ts';
import { type AgentProcess, clearAway, ownFolder, startAgent } from '../scenarios/agent-process.ts';
import { statusOf, until } from '../scenarios/live-agent.ts';
import {
  type Answered,
  endedJob,
  getJson,
  makeBackup,
  panelOn,
  type PanelOptions,
  postJson,
  sendRestore,
  temporaryIn,
} from '../scenarios/panels.ts';
import { nameIn, seeded } from './named-panels.ts';
import { canMount } from './own-mounts.ts';
import { makeSmallDisk, type SmallDisk } from './small-disk.ts';

const passphrase = 'correct horse battery';

// A request with a file leaves 64 MiB to others, so the disk has to be larger.
const SIZE = 'size=72m';

/** A page of the disk, in bytes: with each that is left one write more is made. */
const PAGE = 4096;

/** Sends a restore whose last byte comes after something else was done. */
async function sendSlowly({ port }: AgentProcess, archive: Buffer, meanwhile: () => Promise<void>): Promise<Answered> {
  const sent = request({
    port,
    host: '127.0.0.1',
    method: 'POST',
    path: '/api/v1/restore',
    headers: {
      'content-type': 'application/octet-stream',
      'content-length': archive.length,
      'x-backup-passphrase': passphrase,
    },
  });
  const answer = once(sent, 'response') as Promise<[IncomingMessage]>;
  sent.write(archive.subarray(0, -1));
  await meanwhile();
  sent.end(archive.subarray(-1));
  const [response] = await answer;
  return { status: response.statusCode ?? 0, body: (await json(response)) as Answered['body'] };
}

describe.skipIf(!canMount)(`a full disk${canMount ? '' : ' (skipped: mounting needs root)'}`, () => {
  let disk: SmallDisk;
  let options: PanelOptions;
  let agent: AgentProcess;
  let archive: Buffer;
  let bundle: unknown;

  const machine = panelOn(1);
  beforeAll(async () => {
    const other = await startAgent(seeded('kitchen', { ...machine, data: ownFolder() }));
    archive = await makeBackup(other, passphrase);
    bundle = await getJson(other, 'config/export?include_secrets=1');
    await other.kill();
  });
  beforeEach(async () => {
    disk = await makeSmallDisk(SIZE);
    options = { ...machine, data: disk.data, wrapper: disk.wrapper };
    mkdirSync(disk.inside);
    seeded('hall', { ...machine, data: disk.inside });
    agent = await startAgent(options);
  });
  afterEach(async () => {
    await agent.kill();
    await disk.remove();
  });
  afterAll(clearAway);

  /** Everything that a restore or an import may change. */
  const kept = (): readonly string[] =>
    ['state.json', 'entity-filter.json', 'revisions.json'].map((name) => readFileSync(join(disk.inside, name), 'utf8'));
  /** Nothing is left of an attempt; a file is removed right after the answer. */
  const expectNothing = async (): Promise<void> => {
    await until('no file of an attempt', () => temporaryIn(disk.inside).length === 0);
    expect(existsSync(join(disk.inside, 'restore'))).toBe(false);
  };

  it('changes nothing and says so, whatever is asked for', async () => {
    expect((await postJson(agent, 'config', { night_dim_percent: 44 })).status).toBe(200);
    const { id } = await until('two revisions', async () => {
      const revisions: unknown = await getJson(agent, 'config/revisions');
      const list = revisions as readonly { readonly id: number }[];
      return existsSync(join(disk.inside, 'revisions.json')) && list.length > 1 ? list.at(-1) : null;
    });
    disk.fill(0);
    const before = kept();
    const asked: Readonly<Record<string, () => Promise<Answered>>> = {
      import: () => postJson(agent, 'config/import', bundle),
      revision: () => postJson(agent, `config/revisions/${id}/restore`, {}),
      backup: () => postJson(agent, 'backup', { passphrase }),
      restore: () => sendRestore(agent, archive, { passphrase }),
    };
    const found: unknown[] = [];
    for (const [name, ask] of Object.entries(asked)) {
      // oxlint-disable-next-line no-await-in-loop -- one operation at a time
      const { status, body } = await ask();
      found.push([name, status, body['error']]);
      expect(String(body['message'])).toMatch(/disk|space/);
      expect(kept()).toEqual(before);
      // oxlint-disable-next-line no-await-in-loop -- one attempt after another
      await expectNothing();
    }
    expect(found).toEqual([
      ['import', 500, 'commit-failed'],
      ['revision', 500, 'commit-failed'],
      ['backup', 507, 'no-space'],
      ['restore', 507, 'no-space'],
    ]);
    expect(nameIn(disk.inside)).toBe('hall');
    disk.clear();
    expect((await postJson(agent, 'config/import', bundle)).body['status']).toBe('applied');
  }, 60_000);

  it('that is full once a file is being received changes nothing, and says so, until there is enough', async () => {
    let status = 0;
    for (let free = 0; status !== 202; free += PAGE) {
      // oxlint-disable-next-line no-await-in-loop -- one request after another
      const answer = await sendSlowly(agent, archive, async () => {
        await until('the upload', () => temporaryIn(disk.inside).length > 0);
        disk.fill(free);
      });
      disk.clear();
      ({ status } = answer);
      expect(free).toBeLessThan(32 * PAGE);
      if (status === 202) continue;
      expect([status, answer.body['error']]).toEqual([507, 'no-space']);
      // oxlint-disable-next-line no-await-in-loop -- one attempt after another
      await expectNothing();
      expect(nameIn(disk.inside)).toBe('hall');
    }
    expect(nameIn(disk.inside)).toBe('hall');
    expect((await agent.ended).code).toBe(75);
  }, 120_000);

  inAll(
    'at the start that carries out a restore leaves all as it was, and says so',
    async () => {
      let isRestored = false;
      for (let free = 0; !isRestored; free += PAGE) {
        // oxlint-disable-next-line no-await-in-loop -- one start after another
        expect((await sendRestore(agent, archive, { passphrase })).status).toBe(202);
        // oxlint-disable-next-line no-await-in-loop -- as above
        expect((await agent.ended).code).toBe(75);
        disk.fill(free);
        // oxlint-disable-next-line no-await-in-loop -- as above
        agent = await startAgent({ ...options, port: agent.port });
        // oxlint-disable-next-line no-await-in-loop -- as above
        const [{ kind, result }, { warnings }] = await Promise.all([endedJob(agent), statusOf(agent.url)]);
        isRestored = nameIn(disk.inside) === 'kitchen';
        expect([kind, result]).toMatchObject(['restore', { status: isRestored ? 'succeeded' : 'failed' }]);
        expect(warnings.some((line) => line.startsWith('A restore was not carried out (ENOSPC)'))).toBe(!isRestored);
        // oxlint-disable-next-line no-await-in-loop -- one attempt after another
        await expectNothing();
        disk.clear();
        expect(free > 0 || !isRestored).toBe(true);
        expect(free).toBeLessThan(32 * PAGE);
      }
    },
    240_000,
  );
});

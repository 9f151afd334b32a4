import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createHash } from 'node:crypto';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { type ActivationRecord, firstRecord, type ProfileRef } from '#machines/profile-catalog/activation.ts';
import type { ProfileCatalog } from '#machines/profile-catalog/listing.ts';
import { killActivations } from '#test/durability/activation.mjs';
import { amount } from '#test/fakes/amount.ts';
import { bundle, clearAway, endedEarly, ownFolder, type ProcessEnd } from './agent-process.ts';
import { freePort, post, statusOf, until } from './live-agent.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const simulated = readFileSync(join(root, 'profiles/bundled/simulated.yaml'), 'utf8');

/** Puts a simulated panel of that id into a data folder, as an import does. */
function put(data: string, id: string): ProfileRef {
  const yaml = simulated.replace(/^id: .*$/m, `id: ${id}`);
  const ref = { id, revision: createHash('sha256').update(yaml).digest('hex') };
  mkdirSync(join(data, 'profiles', id), { recursive: true, mode: 0o700 });
  writeFileSync(join(data, 'profiles', id, `${ref.revision}.yaml`), yaml);
  return ref;
}

const recordFile = (data: string): string => join(data, 'profiles', 'activation.json');

interface Looping {
  readonly url: string;
  readonly data: string;
  readonly child: ChildProcess;
  readonly one: ProfileRef;
  readonly two: ProfileRef;
  readonly catalog: () => Promise<ProfileCatalog | null>;
  readonly select: (ref: ProfileRef) => Promise<Response>;
  readonly output: () => string;
}

const children = new Set<ChildProcess>();
afterEach(async () => {
  // One that still runs writes into its folder, which then cannot be removed.
  const ends = Array.from(children, (child) => once(child, 'close'));
  for (const child of children) child.kill('SIGTERM');
  await Promise.all(ends);
});

afterAll(clearAway);

/** The agent in the loop of `bin/run`, with two revisions of which the first is in force. */
async function start(times: string, env: Readonly<Record<string, string>> = {}): Promise<Looping> {
  const data = ownFolder();
  const port = await freePort();
  const [one, two] = [put(data, 'panel-one'), put(data, 'panel-two')];
  const record: ActivationRecord = {
    ...firstRecord,
    generation: 3,
    selection: { mode: 'pinned', ...one },
    proven: one,
    screenProven: true,
  };
  writeFileSync(recordFile(data), JSON.stringify(record));
  const script = `. "${root}/bin/setup/run-again.sh"; run_again "$@"`;
  const child = spawn(
    'bash',
    [
      '-euo',
      'pipefail',
      '-c',
      script,
      'run',
      process.execPath,
      bundle,
      'run',
      '--data',
      data,
      '--port',
      String(port),
      '--no-discovery',
      '--renderer',
      'none',
    ],
    {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, SCONCE_TRIAL_MS: times, ...env },
    },
  );
  children.add(child);
  let end: ProcessEnd | undefined;
  child.on('close', (code, signal) => {
    children.delete(child);
    end = { code, signal };
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (text += chunk.toString()));
  const url = `http://127.0.0.1:${port}`;
  const catalog = async (): Promise<ProfileCatalog | null> => {
    if (end !== undefined) throw endedEarly(end, text);
    try {
      const response = await fetch(`${url}/api/v1/profiles`);
      // The route's own schema is checked in the route tests.
      return response.ok ? ((await response.json()) as ProfileCatalog) : null;
    } catch {
      return null;
    }
  };
  const select = async (ref: ProfileRef): Promise<Response> => {
    const { catalog_revision } = await until('the catalogue', catalog, 15_000);
    return post(`${url}/api/v1/profiles/select`, { ref, expected_catalog_revision: catalog_revision, confirm: true });
  };
  return { url, data, child, one, two, catalog, select, output: () => text };
}

const when = (
  agent: Looping,
  what: string,
  check: (catalog: ProfileCatalog) => boolean,
  boundMs = 15_000,
): Promise<ProfileCatalog> =>
  until(
    () => `${what}; the agent said: ${agent.output().slice(-2000)}`,
    async () => {
      const catalog = await agent.catalog();
      return catalog !== null && check(catalog) ? catalog : null;
    },
    boundMs,
  );

describe('an activation', () => {
  test('is answered first, restarts the agent, is tried and kept; a rollback brings the former one back; TERM ends the loop at once', async () => {
    const agent = await start('100,8000,30');
    const selected = await agent.select(agent.two);
    expect(selected.status).toBe(202);
    expect(await selected.json()).toMatchObject({ ok: true, status: 'scheduled', ...agent.two });
    const kept = await when(
      agent,
      'the selected profile',
      ({ active, activation }) => active?.id === 'panel-two' && activation.state === 'active',
    );
    expect(kept).toMatchObject({ last_known_good: agent.two, rollback_to: agent.one, pending: null, issues: [] });
    expect((await statusOf(agent.url)).warnings.join(' ')).not.toContain('taken back');
    expect(
      (
        await post(`${agent.url}/api/v1/profiles/rollback`, {
          expected_catalog_revision: kept.catalog_revision,
          confirm: true,
        })
      ).status,
    ).toBe(202);
    expect(
      await when(
        agent,
        'the former profile',
        ({ active, activation }) => active?.id === 'panel-one' && activation.state === 'active',
      ),
    ).toMatchObject({ rollback_to: agent.two });
    const ended = new Promise((resolve) => agent.child.once('close', resolve));
    agent.child.kill('SIGTERM');
    expect(await ended).toBe(0);
  }, 60_000);

  test('that does not reach its health point in time is taken back by itself, and says so', async () => {
    const agent = await start('5000,700,30');
    expect((await agent.select(agent.two)).status).toBe(202);
    const back = await when(
      agent,
      'the way back',
      ({ active, activation }) => active?.id === 'panel-one' && activation.state === 'rolled_back',
      30_000,
    );
    expect(back).toMatchObject({ selection: { mode: 'pinned', ...agent.one }, pending: null });
    expect(back.profiles.find(({ id }) => id === 'panel-two')?.state).toBe('rolled-back');
    expect((await statusOf(agent.url)).warnings.join(' ')).toContain('"panel-two" was tried and taken back');
  }, 60_000);

  test('whose start hangs is cut from outside the event loop, and the next start falls back', async () => {
    const hang = join(ownFolder(), 'hang.cjs');
    // Blocks the main thread of every start that is a trial, as soon as its event loop turns, without using a core.
    writeFileSync(
      hang,
      `const { isMainThread } = require('node:worker_threads');
       const file = require('node:path').join(process.argv[process.argv.indexOf('--data') + 1] ?? '', 'profiles/activation.json');
       if (isMainThread) setInterval(() => { if (JSON.parse(require('node:fs').readFileSync(file, 'utf8')).trial?.attempts > 0) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0); }, 5).unref();`,
    );
    const agent = await start('200,500,30', { NODE_OPTIONS: `--require ${hang}` });
    expect((await agent.select(agent.two)).status).toBe(202);
    const back = await when(
      agent,
      'the way back',
      ({ active, activation }) => active?.id === 'panel-one' && activation.state === 'rolled_back',
      30_000,
    );
    expect(back.activation.reason).toBe('ended-before-health');
  }, 60_000);

  // One random moment in a run finds next to nothing, and costs ten starts of an agent.
  test.each(amount<readonly number[]>([], [4]))(
    'killed at %i random moments comes back on the old or the new revision',
    async (kills) => {
      const tally = await killActivations(kills);
      expect(tally).toMatchObject({ kills, elsewhere: 0 });
      expect(tally.old + tally.fresh).toBe(kills);
    },
    90_000,
  );
});

import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundledBytes } from '#profiles/bundled.ts';
import { firstRecord, type ActivationRecord, type ProfileRef } from '#machines/profile-catalog/activation.ts';
import type { ProfileCatalog } from '#machines/profile-catalog/listing.ts';
import { ownFolder } from '#test/scenarios/agent-process.ts';
import { freePort, until } from '#test/scenarios/live-agent.ts';

const script = fileURLToPath(new URL('../../bin/run', import.meta.url));

/** An agent under `bin/run`, which starts it again when it asks for that. */
export interface RunLoop {
  readonly port: number;
  readonly url: string;
  readonly data: string;
  readonly catalog: () => Promise<ProfileCatalog>;
  /** Ends it in order, and waits for that. */
  readonly stop: () => Promise<void>;
}

/** The bundled simulated panel as a revision. */
const simulatedRef = (): ProfileRef => ({
  id: 'simulated',
  revision: createHash('sha256')
    .update(bundledBytes('simulated') ?? '')
    .digest('hex'),
});

/**
 * Starts `bin/run` with the simulated panel chosen by a person, so that no machine's hardware is touched. `trial` is
 * hold, deadline and answer in milliseconds.
 */
export async function startRunLoop(trial: readonly [number, number, number]): Promise<RunLoop> {
  const data = ownFolder();
  const port = await freePort();
  mkdirSync(join(data, 'profiles'), { recursive: true });
  const record: ActivationRecord = { ...firstRecord, selection: { mode: 'pinned', ...simulatedRef() } };
  writeFileSync(join(data, 'profiles', 'activation.json'), JSON.stringify(record), { mode: 0o600 });
  const child = spawn(script, ['--data', data, '--port', String(port), '--no-discovery', '--renderer', 'none'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, SCONCE_TRIAL_MS: trial.join(',') },
  });
  let said = '';
  child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const ended = new Promise<void>((resolve) => child.on('close', () => resolve()));
  const url = `http://127.0.0.1:${port}`;
  await until(
    'the catalogue of profiles',
    async () => {
      if (child.exitCode !== null) throw new Error(`bin/run ended with ${child.exitCode}: ${said.slice(-2000)}`);
      return (await fetch(`${url}/api/v1/profiles`).catch(() => null))?.ok;
    },
    120_000,
  );
  return {
    port,
    url,
    data,
    catalog: async () => {
      const answer = await fetch(`${url}/api/v1/profiles`);
      // The route is tested against this shape.
      return (await answer.json()) as ProfileCatalog;
    },
    stop: () => {
      child.kill('SIGTERM');
      return ended;
    },
  };
}

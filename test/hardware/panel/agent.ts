import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';

import { writeRecordAtStart } from '#drivers/profiles/at-start.ts';
import { fileOf, folderOf, revisionOf } from '#drivers/profiles/places.ts';
import { firstRecord } from '#machines/profiles/activation.ts';
import { calibrationsSection } from '#machines/proximity/calibration.ts';
import type { StatusDocument } from '#machines/status.ts';

import { turn, until } from '../guest-case.ts';
import { FEW_TOOLS } from '../touch-agent.ts';
import { profileId } from './profile.ts';

/** The whole agent in the guest, with a profile that was selected before. */
export interface GuestAgent {
  readonly status: () => Promise<StatusDocument>;
  readonly get: (path: string) => Promise<unknown>;
  readonly stop: () => Promise<void>;
}

/** Raw readings that the calibration of the proximity sensor was made with. */
export const proximityReferences = { clear: 100, near: 1100 };

const port = 8899;
const url = `http://127.0.0.1:${port}`;
const data = '/tmp/panel-of-guest';

/** A data folder in which a person has selected the profile, named the broker and calibrated the proximity sensor. */
const prepare = (profile: string, settings: Readonly<Record<string, string>>): void => {
  const bytes = Buffer.from(profile);
  const name = { id: profileId, revision: revisionOf(bytes) };
  mkdirSync(folderOf(data, profileId), { recursive: true, mode: 0o700 });
  writeFileSync(fileOf(data, name), bytes, { mode: 0o600 });
  if (
    !writeRecordAtStart(data, {
      ...firstRecord,
      generation: 1,
      selection: { mode: 'pinned', ...name },
      since: Date.now(),
    })
  )
    throw new Error('the record was not written');
  const calibration = {
    mode: 'ranged',
    presence: proximityReferences,
    wave: proximityReferences,
    statuses: { presence: 'validated', wave: 'validated' },
    at: Date.now(),
  } as const;
  const proximity = calibrationsSection([{ source: { driver: 'proximity.iio', name: 'prox' }, calibration }]);
  const expose = { proximity: true, proximity_level: true };
  writeFileSync(
    `${data}/state.json`,
    JSON.stringify({ version: 1, sections: { proximity, settings: { revision: 2, values: settings, expose } } }),
    { mode: 0o600 },
  );
};

/** Starts the agent and waits for its first answer; what it said is in the error when there is none. */
export const startPanel = async (
  bundle: string,
  profile: string,
  settings: Readonly<Record<string, string>>,
): Promise<GuestAgent> => {
  prepare(profile, settings);
  const child: ChildProcess = spawn(
    process.execPath,
    [bundle, 'run', '--renderer', 'none', '--no-discovery', '--data', data, '--port', String(port)],
    { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, PATH: FEW_TOOLS } },
  );
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => (said = `${said}${chunk.toString()}`.slice(-1500)));
  const ended = new Promise<void>((resolve) => {
    child.on('exit', () => resolve());
  });
  const get = async (path: string): Promise<unknown> => (await fetch(`${url}${path}`)).json();
  // The route's own schema is checked in the route tests.
  const status = async (): Promise<StatusDocument> => (await get('/api/v1/status')) as StatusDocument;
  const answers = async (): Promise<boolean> => {
    // Asking costs the agent time that it needs for its start.
    await turn(500);
    return (await status()).panel.profile.id !== '';
  };
  await until('the agent', answers).catch((error: unknown) => {
    child.kill('SIGKILL');
    throw new Error(`${String(error)}; it said: ${said}`);
  });
  return {
    status,
    get,
    stop: async () => {
      child.kill('SIGTERM');
      const cut = setTimeout(() => child.kill('SIGKILL'), 60_000);
      await ended;
      clearTimeout(cut);
    },
  };
};

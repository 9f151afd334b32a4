import { createHash } from 'node:crypto';
import { cpSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Broker, passwords } from '../kit/broker.ts';
import { freePort } from '../kit/ports.ts';
import { HomeClient } from './client.ts';
import { newFolder, root, urlOf, venv, writeConfiguration } from './folder.ts';
import { addBroker, addResident, makeOwner, settled } from './onboard.ts';
import { launch } from './process.ts';

/** What decides how the copy looks: another text makes another copy. */
const texts = ['folder.ts', 'onboard.ts', 'onboarded.ts'].map((name) =>
  readFileSync(fileURLToPath(new URL(name, import.meta.url)), 'utf8'),
);

/** What is taken over of a Home Assistant that was onboarded; with the rest it would think of an update. */
const kept = ['.storage', '.HA_VERSION', 'token'];

/** Onboards a new one: owner, resident, and its entry of a broker. */
async function onboard(into: string): Promise<void> {
  const [folder, broker, port] = [newFolder(), await Broker.start(), await freePort()];
  try {
    writeConfiguration(folder, port, {});
    const program = await launch(folder, port);
    try {
      const token = await makeOwner(urlOf(port));
      const client = await HomeClient.open(urlOf(port), token);
      await addBroker(client, { port: broker.port, username: 'home', password: passwords.home });
      await addResident(client);
      await settled(client);
      client.close();
      writeFileSync(join(folder, 'token'), token);
      // It writes down most of that only when it ends.
      if (!(await program.end())) throw new Error('Home Assistant did not end in order after it was onboarded');
    } finally {
      await program.kill();
    }
    const copy = `${into}.${process.pid}`;
    for (const name of kept) cpSync(join(folder, name), join(copy, name), { recursive: true });
    try {
      renameSync(copy, into);
    } catch (error) {
      // Another run was faster.
      rmSync(copy, { recursive: true, force: true });
      if (!existsSync(into)) throw error;
    }
  } finally {
    await broker.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Where the data of an onboarded Home Assistant are; they are made once per machine. */
async function onboarded(): Promise<string> {
  const key = createHash('sha256')
    .update([venv, passwords.home, ...texts].join('\0'))
    .digest('hex')
    .slice(0, 12);
  const folder = join(root, `srv/onboarded-${key}`);
  if (!existsSync(folder)) await onboard(folder);
  return folder;
}

interface Entries {
  readonly data: { readonly entries: readonly { readonly domain: string; readonly data: object }[] };
}

/** Fills `folder` with the data of one that was onboarded; returns the access token of its owner. */
export async function copyOnboarded(folder: string, brokerPort: number | null): Promise<string> {
  const from = await onboarded();
  for (const name of kept) cpSync(join(from, name), join(folder, name), { recursive: true });
  const file = join(folder, '.storage/core.config_entries');
  const stored = JSON.parse(readFileSync(file, 'utf8')) as Entries;
  const entries = stored.data.entries.flatMap((entry) => {
    if (entry.domain !== 'mqtt') return [entry];
    return brokerPort === null ? [] : [{ ...entry, data: { ...entry.data, port: brokerPort } }];
  });
  writeFileSync(file, JSON.stringify({ ...stored, data: { ...stored.data, entries } }));
  return readFileSync(join(folder, 'token'), 'utf8');
}

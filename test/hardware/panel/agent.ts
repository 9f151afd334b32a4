import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';

import { fieldsOf } from '#drivers/kit/json-fields.ts';
import { isOrderLeft, leaveOrder } from '#drivers/microphone/order-file.ts';
import { writeRecordAtStart } from '#drivers/profiles/at-start.ts';
import { fileOf, folderOf, revisionOf } from '#drivers/profiles/places.ts';
import { firstRecord } from '#machines/profile-catalog/activation.ts';
import { calibrationsSection } from '#machines/proximity/calibration.ts';

import { type AgentProcess, get, startAgent } from '../agent-process.ts';
import { until } from '../guest-case.ts';
import { profileId } from './profile.ts';

/** Raw readings that the calibration of the proximity sensor was made with. */
export const proximityReferences = { clear: 100, near: 1100 };

const data = '/tmp/panel-of-guest';

/** A data folder in which a person has selected the profile, named the broker and calibrated the proximity sensor. */
function prepare(profile: string, settings: Readonly<Record<string, string>>): void {
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
}

/** Starts the agent with a profile that was selected before. */
export function startPanel(
  bundle: string,
  profile: string,
  settings: Readonly<Record<string, string>>,
): Promise<AgentProcess> {
  prepare(profile, settings);
  return startAgent(bundle, ['--data', data]);
}

/** Allows the microphone, as `sconce microphone allow` does on the panel. */
export async function allowMicrophone(): Promise<void> {
  const { sections } = fieldsOf(JSON.parse(readFileSync(`${data}/state.json`, 'utf8')));
  const { installId } = fieldsOf(fieldsOf(sections)['identity']);
  const failure = await leaveOrder(data, { do: 'allow', installId: String(installId) });
  if (failure !== null) throw new Error(`the order was not left: ${failure}`);
  await get('/api/v1/status?refresh=1');
  await until('the order to be taken', async () => !(await isOrderLeft(data)));
}

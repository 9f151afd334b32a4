import { mkdirSync, writeFileSync } from 'node:fs';

import { writeRecordAtStart } from '#drivers/profiles/at-start.ts';
import { fileOf, folderOf, revisionOf } from '#drivers/profiles/places.ts';
import { firstRecord } from '#machines/profile-catalog/activation.ts';
import { calibrationsSection } from '#machines/proximity/calibration.ts';

import { type AgentProcess, startAgent } from '../agent-process.ts';
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

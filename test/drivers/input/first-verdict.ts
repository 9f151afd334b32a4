import { linuxInput } from '#drivers/input/linux.ts';
import type { InputDriverCommand, InputFact } from '#machines/input/events.ts';
import type { Verdict } from '#machines/kit/verdict.ts';

import { isFact, runDriver } from '../run-driver.ts';

/** What the driver says first of the folders named in the argument. */
export async function firstVerdict(folders: string): Promise<Verdict> {
  const driver = runDriver<InputDriverCommand, InputFact>(
    linuxInput({ ...JSON.parse(folders), native: Promise.resolve(null) }),
  );
  const { verdict } = await driver.until(isFact<InputFact, 'input.devices'>('input.devices'));
  driver.stop();
  return verdict;
}

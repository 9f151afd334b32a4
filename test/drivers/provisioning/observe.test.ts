import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { provisioningObserver } from '#drivers/provisioning/observe.ts';
import type { ProvisioningDriverCommand, ProvisioningFact, Requirement } from '#machines/provisioning/events.ts';
import { isFact, runDriver } from '../run-driver.ts';

const folder = mkdtempSync(join(tmpdir(), 'sconce-observe-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const groupFile = join(folder, 'group');
const rulesFile = join(folder, 'rules');
writeFileSync(groupFile, `root:x:0:\nours:x:${process.getgid?.() ?? 0}:\nothers:x:64000:somebody\n`);
writeFileSync(rulesFile, '# what it is for\nSUBSYSTEM=="gpio", GROUP="gpio"\n\n');

const requirement: Requirement = {
  slot: 'relay1',
  driver: 'relay.gpio',
  capability: 'relay1',
  title: 'Relay',
  importance: 'required',
  groups: ['ours', 'others', 'unknown'],
  packages: ['dpkg', 'no-such-package-here'],
  udev: [],
};

const observed = isFact<ProvisioningFact, 'provisioning.observed'>('provisioning.observed');
async function scan(
  options: Partial<Parameters<typeof provisioningObserver>[0]> = {},
): Promise<ProvisioningFact['observed']> {
  const driver = runDriver<ProvisioningDriverCommand, ProvisioningFact>(
    provisioningObserver({ requirements: [requirement], probes: [], now: () => 7, groupFile, rulesFile, ...options }),
  );
  try {
    driver.tell({ type: 'provisioning.observe' });
    const fact = await driver.until(observed, 0, 20_000);
    expect(driver.crashed()).toBeUndefined();
    return fact.observed;
  } finally {
    driver.stop();
  }
}

describe('a scan of this machine', () => {
  test('tells the packages of the real dpkg apart, one of them unknown to it', async () => {
    expect((await scan()).packages).toEqual({ dpkg: true, 'no-such-package-here': false });
  });
  test('tells groups that are known from groups that this process has', async () => {
    const { groupsKnown, groupsOwn } = await scan();
    expect({ groupsKnown, groupsOwn: groupsOwn.filter((name) => name !== 'others') }).toEqual({
      groupsKnown: ['ours', 'others'],
      groupsOwn: process.getgroups?.().includes(process.getgid?.() ?? 0) === true ? ['ours'] : [],
    });
  });
  test('reads the rules without their comments, and knows when there are none', async () => {
    expect((await scan()).rules).toEqual(['SUBSYSTEM=="gpio", GROUP="gpio"']);
    expect((await scan({ rulesFile: join(folder, 'none') })).rules).toBeNull();
  });
  test('a probe of a part that fails or never ends is unknown, and holds nobody up', async () => {
    const { evidence } = await scan({
      boundMs: 20,
      probes: [
        {
          slot: 'led',
          probe: async () => ({
            state: 'found',
            names: Array.from({ length: 100 }, (_, at) => `led${at}`),
            detail: 'There are lights.',
          }),
        },
        { slot: 'relay1', probe: () => Promise.reject(new Error('broken')) },
        { slot: 'relay2', probe: () => new Promise(() => {}) },
      ],
    });
    expect(evidence['led']?.names).toHaveLength(32);
    expect([evidence['led']?.state, evidence['relay1']?.state, evidence['relay2']?.state]).toEqual([
      'found',
      'unknown',
      'unknown',
    ]);
  });
});

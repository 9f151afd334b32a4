import { describe, expect, it } from 'vitest';

import { status } from '#machines/advertiser/status.ts';
import { healthyRecovery } from '#machines/advertiser/recovery.ts';
import { factsFrom } from '#test/fakes/facts.ts';

const advertiser = { lan: null, desired: null, seen: 'visible', renamed: false, recovery: healthyRecovery };
const finder = (outcome: string) => ({ finder: { wanted: false, outcome, host: null, count: 0, failure: null } });
function shown(contexts: Readonly<Record<string, unknown>>) {
  const facts = factsFrom(contexts, { advertiser: { up: 'resting' } });
  return { discovery: status.view(facts).discovery };
}

describe('the advertisement in the status', () => {
  it('is off where the network is left alone, without counts of what nobody counts', () => {
    const { discovery } = shown(finder('off'));
    expect(discovery).toEqual({
      state: 'off',
      seen: null,
      misses: 0,
      rebuilds: 0,
      renamed: false,
      reason: 'switched-off',
    });
    expect(status.shape().discovery.parse(discovery)).toEqual(discovery);
  });

  it('is what the advertiser says wherever there is one', () => {
    const { discovery } = shown({ ...finder('idle'), advertiser });
    expect(discovery).toMatchObject({ state: 'advertising', seen: 'visible', reason: null });
  });

  it('is unknown while the advertiser restarts', () => {
    expect(shown(finder('searching')).discovery).toBeNull();
    expect(shown({}).discovery).toBeNull();
  });
});

import { describe, expect, it } from 'vitest';

import { afterTrial } from '#actors/backup/after-trial.ts';
import type { EndedJob } from '#machines/maintenance/events.ts';

const last: EndedJob = {
  kind: 'restore',
  since: 100,
  endedAt: 200,
  message: 'Restored.',
  result: {
    status: 'succeeded',
    config: { status: 'succeeded', items: 3 },
    profiles: { status: 'succeeded', items: 1 },
  },
};
const rolledBack = { state: 'rolled_back', since: 300, reason: 'http-silent', detail: null } as const;

describe('the end of a restore that brought a profile', () => {
  it('is partial once the profile was taken back', () => {
    expect(afterTrial(last, rolledBack)).toMatchObject({
      result: {
        status: 'partial',
        config: { status: 'succeeded', items: 3 },
        profiles: { status: 'rolled_back', items: 1 },
      },
    });
  });

  it.each<[string, Parameters<typeof afterTrial>]>([
    ['there was no job', [null, rolledBack]],
    ['the catalogue is not read', [last, null]],
    ['the profile is on trial', [last, { ...rolledBack, state: 'trial' }]],
    ['the profile was kept', [last, { ...rolledBack, state: 'active' }]],
    ['a profile was taken back before it', [last, { ...rolledBack, since: 150 }]],
    ['another job was the last', [{ ...last, kind: 'reset' }, rolledBack]],
    ['it brought no profile', [{ ...last, result: { status: 'succeeded' } }, rolledBack]],
    [
      'it is partial already',
      [{ ...last, result: { status: 'partial', profiles: { status: 'rolled_back' } } }, rolledBack],
    ],
  ])('stays where %s', (_, [job, activation]) => expect(afterTrial(job, activation)).toBeNull());
});

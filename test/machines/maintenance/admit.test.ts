import { describe, expect, it } from 'vitest';

import { holdsSettings, isProfileJob, mayBegin } from '#machines/maintenance/admit.ts';
import { type JobKind, jobKinds } from '#machines/maintenance/events.ts';

const pairs = jobKinds.flatMap((running) =>
  jobKinds.flatMap((kind) => [false, true].map((isOrdered) => ({ running, kind, isOrdered }))),
);
/** The only pairs that may overlap: another profile ends the trial of one. */
const profiles: readonly JobKind[] = ['profile-select', 'profile-rollback'];

describe('a job beside another', () => {
  it('covers each pair', () => expect(pairs).toHaveLength(2 * jobKinds.length ** 2));

  it.each(pairs)('$kind while $running runs, ordered: $isOrdered', ({ running, kind, isOrdered }) => {
    const isTrial = isOrdered && profiles.includes(running) && profiles.includes(kind);
    expect(mayBegin({ kind: running, isOrdered }, kind)).toBe(isTrial);
  });

  it.each(jobKinds)('%s begins if none runs', (kind) => expect(mayBegin(null, kind)).toBe(true));
});

it('a backup alone lets settings be saved meanwhile', () =>
  expect(jobKinds.filter((kind) => !holdsSettings(kind))).toEqual(['backup']));

it('two kinds change the profile', () => expect(jobKinds.filter(isProfileJob)).toEqual(profiles));

import { z } from 'zod';
import { once } from '../kit/once.ts';
import type { SnapshotView } from '../kit/snapshot.ts';
import { fix } from '../kit/status.ts';
import { statusSection } from '../subsystem.ts';
import { unknownReasons, type UpdatesContext } from './events.ts';
import { updateWords } from './words.ts';

/** The last answer, as the status document and the route show it. */
export const UpdatesDocument = once(() =>
  z
    .object({
      state: z.enum(['not_asked', 'asking', 'up_to_date', 'behind', 'unknown']).meta({
        description: 'Nothing is asked until a person does. `unknown`: `reason` says why there is no answer.',
      }),
      reason: z.enum(unknownReasons).nullable().meta({ description: 'Why it is not known; null otherwise.' }),
      commits: z.int().min(1).nullable().meta({
        description:
          'Commits of the origin that do not run here; null if it is not behind or they could not be counted.',
      }),
      version: z.string().nullable().meta({ description: 'Newest version in the changelog of the origin, if behind.' }),
      subject: z.string().nullable().meta({ description: 'First line of the newest commit of the origin, if behind.' }),
      sentence: z.string().meta({ description: 'The answer in a sentence; "" before the first.' }),
      fix: fix().nullable().meta({ description: 'The command that brings what is newer; null if none does.' }),
      asked_at: z.int().nullable().meta({ description: 'Milliseconds since the Unix epoch; null before the first.' }),
    })
    .meta({
      id: 'Updates',
      description:
        'Whether something newer is where this copy was cloned from, when a person asked last; never its address.',
    }),
);
type UpdatesDocument = z.infer<ReturnType<typeof UpdatesDocument>>;

/** The facts in the form of that document; `version` is the one that runs. */
export function viewOf({ value, context }: SnapshotView<UpdatesContext>, version: string): UpdatesDocument {
  const { outcome, askedAt } = context;
  const nothing = { reason: null, commits: null, version: null, subject: null, sentence: '', fix: null };
  if (value === 'asking') return { state: 'asking', ...nothing, asked_at: askedAt };
  if (outcome === null) return { state: 'not_asked', ...nothing, asked_at: askedAt };
  const common = { ...nothing, ...updateWords(outcome, version), asked_at: askedAt };
  switch (outcome.status) {
    case 'up-to-date':
      return { ...common, state: 'up_to_date' };
    case 'behind':
      return {
        ...common,
        state: 'behind',
        commits: outcome.commits,
        version: outcome.version,
        subject: outcome.subject,
      };
    case 'unknown':
      return { ...common, state: 'unknown', reason: outcome.reason };
  }
}

export const status = statusSection({
  reads: ['updates'],
  shape: () => ({
    updates: UpdatesDocument().nullable().meta({ description: 'Null while its part restarts.' }),
  }),
  view: ({ view, version }) => {
    const updates = view('updates');
    return { updates: updates === undefined ? null : viewOf(updates, version) };
  },
});

import type { ShownResult } from './events.ts';
import type { ApprovalsFacts } from './facts.ts';
import { nameMode } from './mode-words.ts';

const words: Readonly<Record<Exclude<ShownResult['outcome'], 'failed' | 'approved'>, string>> = {
  denied: 'Nothing was done.',
  ignored: 'Nothing was done. This device cannot ask again for an hour.',
  'too-early': 'That press began too early, or was too short. Press again, for a second.',
};

/** What an approval leads to. */
function approvedWords({ shown, mode, requests }: ApprovalsFacts): string {
  if (shown?.kind !== 'operation') return `This panel is now in ${nameMode(mode)} mode.`;
  return requests.list.some(({ id, approved }) => approved && id === shown.id)
    ? 'It is done once the request is sent again, within ten minutes of the first.'
    : 'It is done.';
}

/** What the screen says about the question on it; `failure` is a plain sentence. */
export const resultOf = (facts: ApprovalsFacts, outcome: ShownResult['outcome'], failure = ''): ShownResult => ({
  title: facts.shown?.title ?? '',
  outcome,
  message: outcome === 'approved' ? approvedWords(facts) : outcome === 'failed' ? failure : words[outcome],
});

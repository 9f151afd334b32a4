import type { Need } from '../kit/need.ts';
import type { PanelMessage } from './messages.ts';
import { issueLengths, wireLimits } from './wire.ts';

export type Issue = Extract<PanelMessage, { readonly type: 'issue' }>;

/** Longest id of an issue: that of any code (`messages.ts`). */
const ID_LENGTH = 48;

const cut = (text: string, length: number): string => Array.from(text).slice(0, length).join('');

/** Without what Markdown takes for markup; `_` and `>` within a line are none. */
const plain = (text: string): string => text.replaceAll(/[*<`]/g, String.raw`\$&`);

/** The sentence, and the command that helps, if there is room for all of it; Home Assistant reads Markdown. */
function textOf({ sentence, fix }: Need['step']): string {
  const alone = plain(sentence);
  const whole = fix === null ? alone : `${alone}\n\nOn the panel: \`${fix.command}\`. ${plain(fix.effect)}`;
  return whole.length > issueLengths.text ? cut(alone, issueLengths.text) : whole;
}

/** What needs a person, for the repairs of Home Assistant; another reason is another issue there. */
const issueOf = ({ code, isSerious, step }: Need): Issue => ({
  type: 'issue',
  id: code.replaceAll(/[^a-z0-9-]/g, '-').slice(0, ID_LENGTH),
  severity: isSerious ? 'error' : 'warning',
  title: cut(step.title, issueLengths.title),
  text: textOf(step),
});

/** The issues of these needs, the most urgent ones. */
export const issuesOf = (needs: readonly Need[]): readonly Issue[] =>
  needs.slice(0, wireLimits.issues).map((need) => issueOf(need));

const isSame = (a: Issue, b: Issue): boolean =>
  a.id === b.id && a.severity === b.severity && a.title === b.title && a.text === b.text;

/** What to tell one who knows the issues `before`: those that are gone, then those that are new or read differently. */
export const changedIssues = (before: readonly Issue[], now: readonly Issue[]): readonly Issue[] => [
  ...before
    .filter(({ id }) => now.every((issue) => issue.id !== id))
    .map(({ id }): Issue => ({ type: 'issue', id, gone: true })),
  ...now.filter((issue) => !before.some((known) => isSame(known, issue))),
];

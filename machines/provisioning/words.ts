import type { ItemStatus, Plan, PlanItem } from './plan.ts';

const words: Readonly<Record<ItemStatus, string>> = {
  satisfied: 'satisfied',
  actionable: 'to do',
  manual: 'by hand',
  blocked: 'blocked',
  degraded: 'degraded',
  not_applicable: 'not needed',
};

const marks: Readonly<Record<ItemStatus, string>> = {
  satisfied: '+',
  actionable: '!',
  manual: '!',
  blocked: '-',
  degraded: 'o',
  not_applicable: ' ',
};

/** Widest column of titles; a longer title only widens its own line. */
const WIDEST = 48;

const itemLines = (item: PlanItem, width: number): readonly string[] => [
  `  ${marks[item.status]} ${item.title.padEnd(width)} ${words[item.status].padEnd(10)} ${item.observed_state}`,
  ...(item.status === 'satisfied' ? [] : [`      wanted:  ${item.desired_state}`]),
  ...(item.command === null ? [] : [`      command: ${item.command}`]),
];

/** The plan as text for a terminal: required and observed state, and the command for each item that has one. */
export function planText(profile: { readonly id: string; readonly title: string }, { state, items }: Plan): string {
  const width = Math.min(WIDEST, Math.max(0, ...items.map(({ title }) => title.length)));
  return [
    `What the profile ${profile.title} (${profile.id}) requires of this machine`,
    items.length === 0
      ? 'Nothing: it declares no part.'
      : state === 'satisfied'
        ? 'Nothing is missing.'
        : 'Something is missing.',
    '',
    ...items.flatMap((item) => itemLines(item, width)),
    '',
  ].join('\n');
}

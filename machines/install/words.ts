import { joinWords } from '../kit/join-words.ts';
import type { Added, InstallPlan, Removal, StepState, Step } from './events.ts';

function what(step: Step): string {
  switch (step.kind) {
    case 'package':
      return `package  ${step.name}`;
    case 'group':
      return `group    ${step.name}`;
    case 'user':
      return `user     ${step.name}`;
    case 'membership':
      return `group    ${step.user} joins ${step.group}`;
    case 'program':
      return `folder   ${step.folder}`;
    case 'file':
      return `file     ${step.path}`;
    case 'linger':
      return `linger   ${step.user}`;
    case 'settings':
      return `settings ${step.from}`;
    case 'given':
      return `settings ${step.folder}`;
    case 'unit':
      return `service  ${step.name}`;
  }
}

const marks: Readonly<Record<StepState, string>> = { there: '=', 'to-add': '+', 'to-replace': '~' };

const legend: Readonly<Record<StepState, string>> = {
  'to-add': 'add',
  'to-replace': 'replace',
  there: 'already there',
};

/** What the marks mean that are used. */
const legendOf = (used: readonly StepState[]): string =>
  (['to-add', 'to-replace', 'there'] as const)
    .filter((state) => used.includes(state))
    .map((state) => `${marks[state]} ${legend[state]}`)
    .join(', ');

/** Rules decide who may open devices, so they are shown in full before they are written. */
const ruleLines = (step: Step): readonly string[] =>
  step.kind === 'file' && step.path.includes('/udev/rules.d/')
    ? step.text
        .trimEnd()
        .split('\n')
        .map((line) => `               | ${line}`)
    : [];

/** What the owner calls the kinds of steps, for counting them. */
const nouns: Readonly<Record<Step['kind'], string>> = {
  package: 'package',
  group: 'group',
  user: 'user',
  membership: 'group',
  program: 'folder',
  file: 'file',
  linger: 'service',
  settings: 'setting',
  given: 'setting',
  unit: 'service',
};

/** What is there already as one line; empty if nothing is. */
function thereLine(steps: readonly Step[]): readonly string[] {
  if (steps.length === 0) return [];
  const kinds = [...new Set(steps.map(({ kind }) => nouns[kind]))].map((noun) => {
    const count = steps.filter(({ kind }) => nouns[kind] === noun).length;
    return `${count} ${noun}${count === 1 ? '' : 's'}`;
  });
  const [are, them] = steps.length === 1 ? ['is', 'it'] : ['are', 'them'];
  return [`  = ${joinWords(kinds)} ${are} already there; --all lists ${them}.`];
}

/** How many problems there are, and which. */
function problemLines({ obstacle, problems }: Pick<InstallPlan, 'obstacle' | 'problems'>): readonly string[] {
  const all = [...(obstacle === null ? [] : [obstacle]), ...problems];
  if (all.length === 0) return ['No problems.'];
  if (all.length === 1) return [`1 problem: ${all[0]}`];
  return [`${all.length} problems:`, ...all.map((problem) => `  ! ${problem}`)];
}

/** Remarks and choices for the lines of a plan. */
interface PlanWords {
  /** Further remarks for the owner. */
  readonly notes?: readonly string[];
  /** True to list what is there already too. */
  readonly all?: boolean;
}

/** The plan in lines: what stands in the way, then what will be added and why. */
export function planLines(
  plan: InstallPlan,
  states: readonly StepState[],
  { notes = [], all = false }: PlanWords = {},
): readonly string[] {
  const rows = plan.steps.map((step, at) => ({ step, state: states[at] ?? 'to-add' }));
  const listed = rows.filter(({ state }) => all || state !== 'there');
  const folded = rows.filter((one) => !listed.includes(one)).map(({ step }) => step);
  return [
    ...problemLines(plan),
    '',
    plan.shape === 'kiosk'
      ? `Sconce gets a screen of its own (--session kiosk): ${plan.because}.`
      : `Sconce runs in the session of ${plan.user} (--session user): ${plan.because}.`,
    ...(listed.length === 0 ? [] : [legendOf(listed.map(({ state }) => state))]),
    '',
    ...listed.flatMap(({ step, state }) => [
      `  ${marks[state]} ${what(step).padEnd(58)} ${step.why}`,
      ...(state === 'there' ? [] : ruleLines(step)),
    ]),
    ...thereLine(folded),
    '',
    `Settings are kept in ${plan.data}.`,
    ...plan.notes,
    ...notes,
  ];
}

function entryWords(entry: Added): string {
  switch (entry.kind) {
    case 'package':
      return `package  ${entry.name}`;
    case 'group':
    case 'user':
      return `${entry.kind.padEnd(8)} ${entry.name}`;
    case 'membership':
      return `group    ${entry.user} leaves ${entry.group}`;
    case 'file':
      return `file     ${entry.path}${entry.before === null ? '' : ' (the previous file is restored)'}`;
    case 'folder':
      return `folder   ${entry.path} (if it is empty)`;
    case 'linger':
      return `linger   ${entry.user}`;
    case 'given':
      return `file     ${entry.folder}/given.json (settings that the panel has not applied yet)`;
    case 'unit':
      return `service  ${entry.name}`;
  }
}

export const removalLines = (
  removals: readonly Removal[],
  programFolder: string,
  kept: { readonly packages: number },
): readonly string[] => [
  'Sconce will remove what it added:',
  '',
  ...removals.map((removal) => {
    if (removal.kind === 'entry') return `  - ${entryWords(removal.entry)}`;
    if (removal.kind === 'program') return `  - folder   ${programFolder}`;
    return removal.remove
      ? `  - folder   ${removal.folder} (settings and sign-in)`
      : `  = folder   ${removal.folder} stays: settings and sign-in. --purge removes it too.`;
  }),
  ...(kept.packages > 0
    ? ['', `${kept.packages} Debian packages that came with Sconce stay; --purge-packages removes them too.`]
    : []),
];

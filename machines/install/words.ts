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

/** Rules decide who may open devices, so they are shown in full before they are written. */
const ruleLines = (step: Step): readonly string[] =>
  step.kind === 'file' && step.path.includes('/udev/rules.d/')
    ? step.text
        .trimEnd()
        .split('\n')
        .map((line) => `               | ${line}`)
    : [];

/**
 * The plan in lines: everything that will exist, why, and what already does; `notes` are further remarks for the
 * owner. The reason why it cannot be carried out comes last.
 */
export const planLines = (
  plan: InstallPlan,
  states: readonly StepState[],
  notes: readonly string[] = [],
): readonly string[] => [
  plan.shape === 'kiosk'
    ? `Sconce gets a screen of its own (--session kiosk): ${plan.because}.`
    : `Sconce runs in the session of ${plan.user} (--session user): ${plan.because}.`,
  '+ add, ~ replace, = already there',
  '',
  ...plan.steps.flatMap((step, at) => [
    `  ${marks[states[at] ?? 'to-add']} ${what(step).padEnd(58)} ${step.why}`,
    ...(states[at] === 'there' ? [] : ruleLines(step)),
  ]),
  '',
  `Settings are kept in ${plan.data}.`,
  ...plan.notes,
  ...notes,
  ...(plan.obstacle === null ? [] : ['', plan.obstacle]),
];

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

import { ownUser } from '#drivers/kit/own-user.ts';
import { capabilities, judgeCapability } from '#machines/capabilities.ts';
import type { Verdict } from '#machines/kit/verdict.ts';
import { settingGroups } from '#machines/setting-groups.ts';
import pageNames from '#ui/strings/pages.json' with { type: 'json' };
import { type Section, sections } from './sections.ts';

/** A verdict with what the panel's page shows beside it. */
interface Told extends Verdict {
  /** What the page calls it: what to do, or the thing itself. */
  readonly title: string;
  /** Where on the panel's pages it is put right; null where no page does. */
  readonly where: string | null;
}

/** Told are those that need a person, and those that say what is missing, unless they only wait for it. */
const isTold = ({ state, missing }: Verdict): boolean =>
  state === 'needs_you' || (state !== 'checking' && missing !== null);

/** A path of the panel's pages in words. */
const placeOf = (path: string): string => {
  if (path === '/sign-in') return `**${pageNames['page.sign_in']}**`;
  const [, group = ''] = /^\/configure\/([a-z-]+)/.exec(path) ?? [];
  const title = settingGroups.find(({ id }) => id === group)?.title;
  if (title === undefined) throw new Error(`the page ${path} has no name here`);
  return `**Configure > ${title}**`;
};

const titleOf = (state: Verdict['state'], title: string, headline: string | undefined): string => {
  switch (state) {
    case 'needs_you':
      return headline ?? `Get ${title} working`;
    case 'off':
      return `${title}: off`;
    case 'not_here':
      return `${title}: not here`;
    default:
      return `${title}: works in part`;
  }
};

const toldOf = (id: string, verdicts: readonly Verdict[]): readonly Told[] => {
  const row = capabilities.find((one) => one.id === id);
  if (row === undefined) throw new Error(`there is no capability ${id}`);
  return verdicts.filter(isTold).flatMap((verdict) => {
    // A snapshot of nothing: the verdict is given.
    const judged = judgeCapability({ ...row, judge: () => verdict, shown: () => true }, { value: {}, context: {} });
    if (judged === null) return [];
    const { title, headline, page } = judged;
    return [
      {
        ...verdict,
        title: titleOf(verdict.state, title, headline),
        where: page === undefined ? null : placeOf(page),
      },
    ];
  });
};

/** Commands that name whoever runs this name whoever copies them. */
const forAnyUser = (command: string): string => {
  const user = ownUser();
  return user === null ? command : command.replaceAll(new RegExp(`(-aG \\w+) ${user}\\b`, 'g'), '$1 "$USER"');
};

/** A sentence may hold what Markdown takes for markup. */
const plain = (text: string): string => text.replaceAll(/[*_<>`]/g, String.raw`\$&`);

const entryOf = ({ detail, missing, state, where, fix }: Told): string => {
  // Where a person is needed the sentence says it already.
  const lack = missing === null || state === 'needs_you' ? '' : ` What is missing: ${missing}`;
  const place = where === null || fix !== null ? '' : ` Go to ${where}.`;
  const line = `- ${plain(detail)}${plain(lack)}${place}`;
  return fix === null
    ? line
    : `${line}\n\n  \`\`\`sh\n  ${forAnyUser(fix.command)}\n  \`\`\`\n\n  ${plain(fix.effect)}`;
};

/** Entries below their titles, each once: parts of one kind say the same. */
const groupsOf = ({ parts }: Section): string => {
  const groups = new Map<string, Set<string>>();
  for (const {
    capabilities: [first = ''],
    verdicts,
  } of parts)
    for (const told of toldOf(first, verdicts))
      groups.set(told.title, (groups.get(told.title) ?? new Set()).add(entryOf(told)));
  return [...groups].map(([title, entries]) => `### ${title}\n\n${[...entries].join('\n')}`).join('\n\n');
};

const intro = `# Troubleshooting

<!-- Written by "npm run record-troubleshooting" from what the panel itself says; do not edit it by hand. -->

Begin with the panel's page, \`http://<address of the panel>:8888/\`: it says what needs you, why, and the one command that
fixes it. Without a browser, \`bin/sconce doctor\` on the panel says the same. This page has all that they can say, by what you
see on the panel. Search it for the sentence that you got.

- Run a command on the panel. Where it has \`"$USER"\`, the panel's page names the user that Sconce runs as: use that one.
- \`NAME\` stands for the name of a device or file, which the panel's page gives.
- After a repair press **Check again** on the panel's page.
- It does not help? Attach the file of **More > About > Support bundle** to your question. Names, addresses and passwords are
  taken out of it; read it before you pass it on.
`;

/** The whole page. */
export const troubleshooting = (): string =>
  [intro, ...sections.map((section) => `## ${section.heading}\n\n${groupsOf(section)}\n`)].join('\n');

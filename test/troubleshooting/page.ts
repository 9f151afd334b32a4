import { ownUser } from '#drivers/kit/own-user.ts';
import { capabilities, judgeCapability } from '#machines/capabilities.ts';
import type { Verdict } from '#machines/kit/verdict.ts';
import { settingGroups } from '#machines/setting-groups.ts';
import pageNames from '#ui/strings/pages.json' with { type: 'json' };
import type { Told } from './panel-cases.ts';
import { type Part, type Section, sections } from './sections.ts';

const intro = `# Troubleshooting

<!-- Written by "npm run record-troubleshooting" from what the panel itself says. Do not edit it by hand. -->

Begin with the panel's page, \`http://<address of the panel>:8888/\`: it says what needs you, why, and the one command
that fixes it. Without a browser, \`bin/sconce doctor\` says the same on the panel. Below is what they can say, sorted by
what you see on the panel. Search for the sentence that you got.

- Run a command on the panel. Where it has \`"$USER"\`, the panel's page names the user that Sconce runs as: use that one.
- \`NAME\` stands for the name of a device, a part or a file, which the panel's page gives.
- After a repair press **Check again** on the panel's page.
- Nothing helped? Save the support bundle (**More > About** on the panel's page) and attach it to your question. Names,
  addresses and passwords are taken out of it. Read it before you pass it on.
`;

/** True for a verdict that needs a person, or says what is missing and does not only wait for it. */
export const isTold = ({ state, missing }: Verdict): boolean =>
  state === 'needs_you' || (state !== 'checking' && missing !== null);

function rowOf(id: string): (typeof capabilities)[number] {
  const row = capabilities.find((one) => one.id === id);
  if (row === undefined) throw new Error(`there is no capability ${id}`);
  return row;
}

/** A path of the panel's pages, as a person finds it. */
function placeOf(path: string): string {
  if (path === '/sign-in') return `**${pageNames['page.sign_in']}**`;
  if (path === '/companion') return `**Configure > Home Assistant**, then **${pageNames['page.companion']}**`;
  const [, group = ''] = /^\/configure\/([a-z-]+)/.exec(path) ?? [];
  const title = settingGroups.find(({ id }) => id === group)?.title;
  if (title === undefined) throw new Error(`the page ${path} has no name here`);
  return `**Configure > ${title}**`;
}

/** What the panel's page calls it: what to do, or the thing itself with its state. */
function titleOf(state: Verdict['state'], title: string, headline: string | undefined): string {
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
}

function toldOf({ capabilities: [id], verdicts }: Part): readonly Told[] {
  if (id === undefined) return [];
  const row = rowOf(id);
  return verdicts.filter(isTold).flatMap((verdict) => {
    // The snapshot is not read: the verdict is given.
    const judged = judgeCapability({ ...row, judge: () => verdict, shown: () => true }, { value: {}, context: {} });
    if (judged === null) return [];
    const { title, headline, page } = judged;
    const where = page === undefined ? null : placeOf(page);
    return [{ ...verdict, title: titleOf(verdict.state, title, headline), where }];
  });
}

/** Replaces the user who records this page with the one who copies the command. */
function forAnyUser(command: string): string {
  const user = ownUser();
  return user === null ? command : command.replaceAll(new RegExp(String.raw`(-aG \w+) ${user}\b`, 'g'), '$1 "$USER"');
}

/** Without what Markdown takes for markup; `_` and `>` within a line are none. */
const plain = (text: string): string => text.replaceAll(/[*<`]/g, String.raw`\$&`);

function entryOf({ detail, missing, state, where, fix }: Told): string {
  // Where a person is needed the sentence says it already.
  const lack = missing === null || state === 'needs_you' ? '' : ` What is missing: ${missing}`;
  const place = where === null || fix !== null ? '' : ` Go to ${where}.`;
  const line = `- ${plain(detail)}${plain(lack)}${place}`;
  if (fix === null) return line;
  // A list goes on only after an empty line.
  const effect = fix.effect === '' ? '' : `\n  ${plain(fix.effect)}\n`;
  return `${line}\n\n  \`\`\`sh\n  ${forAnyUser(fix.command)}\n  \`\`\`\n${effect}`;
}

/** Of parts that are alike the first one is written out. */
const alike = ({ capabilities: [first, ...others] }: Part): readonly string[] =>
  first === undefined || others.length === 0
    ? []
    : [`What is said of **${rowOf(first).title}** is said of ${others.map((id) => rowOf(id).title).join(', ')} too.`];

const needsAPerson = ({ state }: Told): boolean => state === 'needs_you';

/** What needs a person stands first; each sentence stands once below its title. */
function sectionOf({ heading, parts, told = [] }: Section): string {
  const all = [...parts.flatMap(toldOf), ...told];
  const groups = new Map<string, Set<string>>();
  for (const one of [...all.filter(needsAPerson), ...all.filter((row) => !needsAPerson(row))])
    groups.set(one.title, (groups.get(one.title) ?? new Set<string>()).add(entryOf(one)));
  const written = [...groups].map(([title, entries]) => `### ${title}\n\n${[...entries].join('\n').trimEnd()}`);
  return [`## ${heading}`, ...parts.flatMap(alike), ...written].join('\n\n');
}

/** The anchor of a heading, as hosts of Markdown make it. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^a-z -]/g, '')
    .replaceAll(' ', '-');

const contents = sections.map(({ heading }) => `- [${heading}](#${anchorOf(heading)})`).join('\n');

/** The whole page. */
export const troubleshooting = (): string =>
  `${[intro.trimEnd(), 'What do you see?', contents, ...sections.map(sectionOf)].join('\n\n')}\n`;

import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Lines that go into a file that is there already, after the only line of this text. */
interface Insertion {
  readonly after: string;
  readonly lines: readonly string[];
}

/** What an example does to one file: all of a new one, or lines for one that is there. */
export type Step =
  | { readonly file: string; readonly text: string }
  | { readonly file: string; readonly insertions: readonly Insertion[] };

/** Fenced blocks whose info string is a language and a file. */
const block = /^```(?<language>\w+) (?<file>\S+)\n(?<body>[^]*?)^```$/gm;

/** A line that stays says where the added ones below it go. */
function insertionsOf(file: string, body: string): readonly Insertion[] {
  const found: { after: string; lines: string[] }[] = [];
  for (const line of body.split('\n').slice(0, -1)) {
    const [mark, text] = [line.slice(0, 1), line.slice(1)];
    const last = found.at(-1);
    if (mark === ' ') found.push({ after: text, lines: [] });
    else if (mark === '+' && last !== undefined) last.lines.push(text);
    else throw new Error(`${file}: neither a line that stays nor one that is added below it: ${line}`);
  }
  return found;
}

/** The steps of the example in a text, in its order. */
export const readSteps = (text: string): readonly Step[] =>
  [...text.matchAll(block)].map(({ groups }) => {
    const { language = '', file = '', body = '' } = groups ?? {};
    return language === 'diff' ? { file, insertions: insertionsOf(file, body) } : { file, text: body };
  });

/** The steps with another name in place of `doorbell`, which is no other part of the tree then; icons keep theirs. */
export function renamed(steps: readonly Step[], name: string): readonly Step[] {
  const title = `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`;
  const named = (text: string): string => text.replaceAll(/(?<!mdi:)doorbell/g, name).replaceAll('Doorbell', title);
  return steps.map((step) =>
    'text' in step
      ? { file: named(step.file), text: named(step.text) }
      : {
          file: step.file,
          insertions: step.insertions.map(({ after, lines }) => ({ after, lines: lines.map(named) })),
        },
  );
}

/**
 * Files that a subsystem of the group may edit beside its own: five of code, the list of strings, the cards, and three
 * for a page of its own.
 */
const sharedFiles = (group: string): readonly string[] => [
  'machines/actors.ts',
  'machines/subsystems.ts',
  `bin/parts/${group}.ts`,
  'routes/app.ts',
  'profiles/slots.ts',
  'ui/strings/catalogue.ts',
  'ui/late-cards.ts',
  'ui/page-table.ts',
  'ui/elements/pages.ts',
  'routes/pages.tsx',
];

/** What is wrong with the files that an example touches; `isThere` tells of those before it. */
export const judgeSteps = (
  steps: readonly Step[],
  group: string,
  isThere: (file: string) => boolean,
): readonly string[] =>
  steps.flatMap((step) => {
    if ('text' in step) return isThere(step.file) ? [`${step.file} is there already and would be replaced`] : [];
    return sharedFiles(group).includes(step.file) ? [] : [`${step.file} is no file that a subsystem may edit`];
  });

function inserted(text: string, file: string, { after, lines }: Insertion): string {
  const all = text.split('\n');
  const at = all.indexOf(after);
  if (at === -1 || all.includes(after, at + 1)) throw new Error(`${file}: this is not there exactly once: ${after}`);
  return all.toSpliced(at + 1, 0, ...lines).join('\n');
}

/** Does the steps in the tree at `root`. */
export function applySteps(root: string, steps: readonly Step[]): void {
  for (const step of steps) {
    const path = join(root, step.file);
    if ('text' in step) {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, step.text);
    } else {
      const before = readFileSync(path, 'utf8');
      writeFileSync(
        path,
        step.insertions.reduce((text, one) => inserted(text, step.file, one), before),
      );
    }
  }
}

const copied = ['actors', 'bin', 'drivers', 'machines', 'profiles', 'routes', 'test', 'ui'];
const beside = [
  'ARCHITECTURE.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'LICENSE',
  'MIGRATING.md',
  'README.md',
  'SECURITY.md',
  'TROUBLESHOOTING.md',
  'package.json',
  'tsconfig.json',
  '.oxfmtrc.json',
  '.oxlintrc.json',
];

/** Copies the sources of the repository at `root` to the folder `copy` inside it, in place of an earlier copy. */
export function copySources(root: string, copy: string): void {
  for (const name of [...copied, ...beside]) {
    rmSync(join(copy, name), { recursive: true, force: true });
    cpSync(join(root, name), join(copy, name), { recursive: true });
  }
}

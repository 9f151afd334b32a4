import { ok, refuse, type Result } from '#machines/kit/result.ts';
import { didYouMean, readOptions, shownWord, tokensOf } from './read-options.ts';

/** What `sconce companion` is asked to do. */
export type CompanionTask =
  | { readonly do: 'show' }
  | { readonly do: 'pair' }
  /** `prefix`: the beginning of a key's id. */
  | { readonly do: 'revoke'; readonly prefix: string }
  /** `folder`: Home Assistant's configuration folder. */
  | { readonly do: 'install'; readonly folder: string };

/** The options of `sconce companion`. */
export interface CompanionOptions {
  /** Data folder; null for the default of the system, else the installed one. */
  readonly data: string | null;
  readonly task: CompanionTask;
}

/** The options of `sconce companion`, in the form of `parseArgs`. */
export const companionOptions = {
  data: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const;

const words = ['pair', 'revoke', 'install'] as const;

type Parsed = Result<
  | { readonly verb: 'companion'; readonly options: CompanionOptions }
  | { readonly verb: 'help'; readonly topic: 'companion' },
  'usage'
>;

function taskOf([word, what, ...more]: readonly string[]): Result<CompanionTask, 'usage'> {
  if (word === undefined) return ok({ do: 'show' });
  const task = words.find((one) => one === word);
  if (task === undefined)
    return refuse('usage', `companion has no command "${shownWord(word)}".${didYouMean(word, words)}`);
  if (task === 'pair') return what === undefined ? ok({ do: task }) : refuse('usage', 'pair takes nothing more.');
  if (what === undefined || what === '')
    return refuse(
      'usage',
      task === 'revoke'
        ? 'revoke takes the id of a key; companion alone lists them.'
        : 'install takes the configuration folder of Home Assistant, which has the file configuration.yaml.',
    );
  if (more.length > 0) return refuse('usage', `${task} takes nothing more.`);
  if (task === 'install') return ok({ do: task, folder: what });
  return /^[0-9a-f]{1,16}$/.test(what)
    ? ok({ do: task, prefix: what })
    : refuse('usage', 'The id of a key has 16 digits from 0 to f; companion alone lists them.');
}

/** Reads the command and the options of `sconce companion`. */
export function parseCompanion(args: readonly string[]): Parsed {
  const positionals = tokensOf(args, companionOptions).filter((token) => token.kind === 'positional');
  const at = new Set(positionals.map(({ index }) => index));
  const parsed = readOptions(
    'companion',
    args.filter((_, index) => !at.has(index)),
    companionOptions,
  );
  if (!parsed.ok) return parsed;
  const { data, help = false } = parsed.value;
  if (help) return ok({ verb: 'help', topic: 'companion' });
  if (data === '') return refuse('usage', '--data must name a folder.');
  const task = taskOf(positionals.map(({ value }) => value));
  return task.ok ? ok({ verb: 'companion', options: { data: data ?? null, task: task.value } }) : task;
}

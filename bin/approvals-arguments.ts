import { ok, refuse, type Result } from '#machines/kit/result.ts';
import { didYouMean, readOptions, shownWord, tokensOf } from './read-options.ts';

/** What `sconce approvals` is asked to do. */
export type ApprovalsTask =
  | { readonly do: 'list' }
  /** `prefix` is the beginning of an id, in lower case. */
  | { readonly do: 'deny'; readonly prefix: string }
  | { readonly do: 'relaxed' };

/** The options of `sconce approvals`. */
export interface ApprovalsOptions {
  /** Data folder; null for the default of the system, else the installed one. */
  readonly data: string | null;
  readonly task: ApprovalsTask;
}

/** The options of `sconce approvals`, in the form of `parseArgs`. */
export const approvalsOptions = {
  data: { type: 'string' },
  relaxed: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

type Parsed = Result<
  | { readonly verb: 'approvals'; readonly options: ApprovalsOptions }
  | { readonly verb: 'help'; readonly topic: 'approvals' },
  'usage'
>;

function taskOf(words: readonly string[], relaxed: boolean): Result<ApprovalsTask, 'usage'> {
  const [word, id, more] = words;
  if (word === undefined) return ok({ do: relaxed ? 'relaxed' : 'list' });
  if (word === 'approve')
    return refuse('usage', 'Nothing can be approved here: that takes a person in front of the screen.');
  if (word !== 'deny')
    return refuse('usage', `approvals has no command "${shownWord(word)}".${didYouMean(word, ['deny'])}`);
  if (relaxed) return refuse('usage', 'deny and --relaxed cannot be given together.');
  if (id === undefined || more !== undefined)
    return refuse('usage', 'deny takes the id of one request, or the beginning of it.');
  return /^[\da-f]{1,32}$/i.test(id)
    ? ok({ do: 'deny', prefix: id.toLowerCase() })
    : refuse('usage', `"${shownWord(id)}" is not an id: those of requests have digits and the letters a to f.`);
}

/** Reads the command and the options of `sconce approvals`. */
export function parseApprovals(args: readonly string[]): Parsed {
  const words = tokensOf(args, approvalsOptions).filter((token) => token.kind === 'positional');
  const at = new Set(words.map(({ index }) => index));
  const parsed = readOptions(
    'approvals',
    args.filter((_, index) => !at.has(index)),
    approvalsOptions,
  );
  if (!parsed.ok) return parsed;
  const { data, relaxed = false, help = false } = parsed.value;
  if (help) return ok({ verb: 'help', topic: 'approvals' });
  if (data === '') return refuse('usage', '--data must name a folder.');
  const task = taskOf(
    words.map(({ value }) => value),
    relaxed,
  );
  return task.ok ? ok({ verb: 'approvals', options: { data: data ?? null, task: task.value } }) : task;
}

import { ok, refuse, type Result } from '#machines/kit/result.ts';
import { didYouMean, readOptions, shownWord, tokensOf } from './read-options.ts';

/** What `sconce microphone` is asked to do. */
export type MicrophoneTask = 'show' | 'allow' | 'forget';

/** The options of `sconce microphone`. */
export interface MicrophoneOptions {
  /** Data folder; null for the default of the system, else the installed one. */
  readonly data: string | null;
  readonly task: MicrophoneTask;
}

/** The options of `sconce microphone`, in the form of `parseArgs`. */
export const microphoneOptions = {
  data: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const;

type Parsed = Result<
  | { readonly verb: 'microphone'; readonly options: MicrophoneOptions }
  | { readonly verb: 'help'; readonly topic: 'microphone' },
  'usage'
>;

function taskOf([word, more]: readonly string[]): Result<MicrophoneTask, 'usage'> {
  if (word === undefined) return ok('show');
  if (word !== 'allow' && word !== 'forget')
    return refuse('usage', `microphone has no command "${shownWord(word)}".${didYouMean(word, ['allow', 'forget'])}`);
  return more === undefined ? ok(word) : refuse('usage', `${word} takes nothing more.`);
}

/** Reads the command and the options of `sconce microphone`. */
export function parseMicrophone(args: readonly string[]): Parsed {
  const words = tokensOf(args, microphoneOptions).filter((token) => token.kind === 'positional');
  const at = new Set(words.map(({ index }) => index));
  const parsed = readOptions(
    'microphone',
    args.filter((_, index) => !at.has(index)),
    microphoneOptions,
  );
  if (!parsed.ok) return parsed;
  const { data, help = false } = parsed.value;
  if (help) return ok({ verb: 'help', topic: 'microphone' });
  if (data === '') return refuse('usage', '--data must name a folder.');
  const task = taskOf(words.map(({ value }) => value));
  return task.ok ? ok({ verb: 'microphone', options: { data: data ?? null, task: task.value } }) : task;
}

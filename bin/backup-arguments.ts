import { ok, refuse, type Result } from '#machines/kit/result.ts';
import { readOptions, tokensOf } from './read-options.ts';

/** What `sconce backup` and `sconce restore` share. */
interface ArchiveOptions {
  /** The archive. */
  readonly file: string;
  /** The file with the passphrase; null without one. */
  readonly passphraseFile: string | null;
  /** Data folder; null for the default of the system, else the installed one. */
  readonly data: string | null;
}

/** The options of `sconce backup`. */
export interface BackupOptions extends ArchiveOptions {
  /** False to leave the sign-in to Home Assistant out. */
  readonly signIn: boolean;
}

/** The options of `sconce restore`. */
export interface RestoreOptions extends ArchiveOptions {
  readonly dryRun: boolean;
  readonly replaces: boolean;
}

const text = { type: 'string' } as const;
const flag = { type: 'boolean' } as const;
const shared = { 'passphrase-file': text, data: text, help: { ...flag, short: 'h' } } as const;

/** The options of `sconce backup`, in the form of `parseArgs`. */
export const backupOptions = { ...shared, plaintext: flag, 'no-sign-in': flag } as const;

/** The options of `sconce restore`, in the form of `parseArgs`. */
export const restoreOptions = { ...shared, 'dry-run': flag, replaces: flag } as const;

type Help<T> = { readonly verb: 'help'; readonly topic: T };
type Parsed<T, O> = Result<{ readonly verb: T; readonly options: O } | Help<T>, 'usage'>;

interface SharedValues {
  readonly 'passphrase-file'?: string;
  readonly data?: string;
}

/** The one file, and what both commands have. */
function archiveOf(verb: string, words: readonly string[], values: SharedValues): Result<ArchiveOptions, 'usage'> {
  const [file, more] = words;
  if (file === undefined || file === '') return refuse('usage', `${verb} takes the name of a file.`);
  if (more !== undefined) return refuse('usage', `${verb} takes one file.`);
  const { data = null, 'passphrase-file': passphraseFile = null } = values;
  if (data === '') return refuse('usage', '--data must name a folder.');
  if (passphraseFile === '') return refuse('usage', '--passphrase-file must name a file.');
  return ok({ file, passphraseFile, data });
}

/** The words of a command line, and the rest of it. */
function split(args: readonly string[], options: typeof backupOptions | typeof restoreOptions) {
  const found = tokensOf(args, options).filter((token) => token.kind === 'positional');
  const at = new Set(found.map(({ index }) => index));
  return { words: found.map(({ value }) => value), rest: args.filter((_, index) => !at.has(index)) };
}

/** Reads the file and the options of `sconce backup`. */
export function parseBackup(args: readonly string[]): Parsed<'backup', BackupOptions> {
  const { words, rest } = split(args, backupOptions);
  const parsed = readOptions('backup', rest, backupOptions);
  if (!parsed.ok) return parsed;
  const values = parsed.value;
  if (values.help === true) return ok({ verb: 'help', topic: 'backup' });
  const archive = archiveOf('backup', words, values);
  if (!archive.ok) return archive;
  const isPlain = values.plaintext === true;
  if (isPlain && archive.value.passphraseFile !== null)
    return refuse('usage', '--passphrase-file and --plaintext cannot be given together.');
  if (!isPlain && archive.value.passphraseFile === null)
    return refuse(
      'usage',
      'Name the file with a passphrase by --passphrase-file, or give --plaintext for a backup without passwords and sign-in.',
    );
  return ok({ verb: 'backup', options: { ...archive.value, signIn: values['no-sign-in'] !== true } });
}

/** Reads the file and the options of `sconce restore`. */
export function parseRestore(args: readonly string[]): Parsed<'restore', RestoreOptions> {
  const { words, rest } = split(args, restoreOptions);
  const parsed = readOptions('restore', rest, restoreOptions);
  if (!parsed.ok) return parsed;
  const values = parsed.value;
  if (values.help === true) return ok({ verb: 'help', topic: 'restore' });
  const archive = archiveOf('restore', words, values);
  if (!archive.ok) return archive;
  const { 'dry-run': dryRun = false, replaces = false } = values;
  return ok({ verb: 'restore', options: { ...archive.value, dryRun, replaces } });
}

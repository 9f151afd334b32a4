import { ok, refuse, type Result } from '#machines/kit/result.ts';
import { type ApprovalsOptions, parseApprovals } from './approvals-arguments.ts';
import { type BackupOptions, parseBackup, parseRestore, type RestoreOptions } from './backup-arguments.ts';
import { type CompanionOptions, parseCompanion } from './companion-arguments.ts';
import { type Topic, topics } from './help-texts.ts';
import { type InstallOptions, parseInstall, parseUninstall, type UninstallOptions } from './install/arguments.ts';
import type { RendererMode } from '#machines/renderer/events.ts';
import { rendererModes } from '#machines/renderer/options.ts';
import { profileOf, type Provision, provisionOf, provisionOptions, type ProvisionValues } from './provision-options.ts';
import { type MicrophoneOptions, parseMicrophone } from './microphone-arguments.ts';
import { didYouMean, readOptions, shownWord } from './read-options.ts';
import { defaultPort, isHelp, isTopic, plainText, type PlainText } from './usage.ts';

/** The options of `sconce run`. */
export interface RunOptions extends Provision {
  /** Data folder; null for the default of the system. */
  readonly data: string | null;
  /** TCP port, 1 to 65535. */
  readonly port: number;
  /**
   * Profile from the command line: the id of a bundled one, `linux` or `auto`; null for the stored selection or the one
   * that fits the machine.
   */
  readonly profile: string | null;
  /** Profile to use in place of the one that fits, until another is selected on the panel; null for none. */
  readonly defaultProfile: string | null;
  /** What shows the dashboard; null to find a display on a real panel and to start nothing on a simulated one. */
  readonly renderer: RendererMode | null;
  /** True if the inspector shows the running agent. */
  readonly inspect: boolean;
  /** True if the panel is announced on the network and searches for Home Assistant there (mDNS). */
  readonly discovery: boolean;
  /** True if doctor asks whether something newer is where this copy was cloned from. */
  readonly updates: boolean;
}

export type Command =
  | { readonly verb: 'run'; readonly options: RunOptions }
  | { readonly verb: 'doctor'; readonly options: RunOptions }
  | { readonly verb: 'approvals'; readonly options: ApprovalsOptions }
  | { readonly verb: 'microphone'; readonly options: MicrophoneOptions }
  | { readonly verb: 'companion'; readonly options: CompanionOptions }
  | { readonly verb: 'backup'; readonly options: BackupOptions }
  | { readonly verb: 'restore'; readonly options: RestoreOptions }
  | { readonly verb: 'install'; readonly options: InstallOptions }
  | { readonly verb: 'uninstall'; readonly options: UninstallOptions }
  | PlainText;

function portOf(text: string | undefined): Result<number, 'usage'> {
  if (text === undefined) return ok(defaultPort);
  const port = Number(text);
  return Number.isInteger(port) && port >= 1 && port <= 65_535
    ? ok(port)
    : refuse('usage', '--port must be a whole number from 1 to 65535.');
}

const text = { type: 'string' } as const;
const flag = { type: 'boolean' } as const;

const shared = { data: text, port: text, profile: text, help: { ...flag, short: 'h' } } as const;

/** The options of `sconce doctor`, in the form of `parseArgs`. */
export const doctorOptions = { ...shared, updates: flag } as const;

/** The options of `sconce run`, in the form of `parseArgs`. */
export const runOptions = {
  ...provisionOptions,
  ...shared,
  'default-profile': text,
  renderer: text,
  inspect: flag,
  'no-discovery': flag,
} as const;

/** The options of `run` and `doctor` as typed. */
interface RunValues extends ProvisionValues {
  readonly data?: string;
  readonly port?: string;
  readonly profile?: string;
  readonly 'default-profile'?: string;
  readonly renderer?: string;
  readonly inspect?: boolean;
  readonly 'no-discovery'?: boolean;
  readonly updates?: boolean;
  readonly help?: boolean;
}

function runOptionsOf(values: RunValues): Result<RunOptions, 'usage'> {
  const port = portOf(values.port);
  if (!port.ok) return port;
  const profile = profileOf('--profile', values.profile);
  if (!profile.ok) return profile;
  const defaultProfile = profileOf('--default-profile', values['default-profile']);
  if (!defaultProfile.ok) return defaultProfile;
  const renderer = rendererModes.find((mode) => mode === values.renderer);
  if (values.renderer !== undefined && renderer === undefined)
    return refuse('usage', '--renderer must be auto, headless or none.');
  if (values.data === '') return refuse('usage', '--data must name a folder.');
  const provision = provisionOf(values);
  if (!provision.ok) return provision;
  return ok({
    ...provision.value,
    data: values.data ?? null,
    port: port.value,
    profile: profile.value,
    defaultProfile: defaultProfile.value,
    renderer: renderer ?? null,
    inspect: values.inspect === true,
    discovery: values['no-discovery'] !== true,
    updates: values.updates === true,
  });
}

function parseRun(verb: 'run' | 'doctor', args: readonly string[]): Result<Command, 'usage'> {
  const values: Result<RunValues, 'usage'> =
    verb === 'run' ? readOptions(verb, args, runOptions) : readOptions(verb, args, doctorOptions);
  if (!values.ok) return values;
  if (values.value.help === true) return ok({ verb: 'help', topic: verb });
  const options = runOptionsOf(values.value);
  return options.ok ? ok({ verb, options: options.value }) : options;
}

const commands: Readonly<Record<Topic, (args: readonly string[]) => Result<Command, 'usage'>>> = {
  run: (args) => parseRun('run', args),
  install: parseInstall,
  doctor: (args) => parseRun('doctor', args),
  approvals: parseApprovals,
  microphone: parseMicrophone,
  companion: parseCompanion,
  backup: parseBackup,
  restore: parseRestore,
  uninstall: parseUninstall,
};

/** Why there is no help on these words; on a single command there is. */
function noHelpOn(words: readonly string[]): string {
  const word = words.find((one) => !isTopic(one) && !isHelp(one) && one !== 'help');
  return word === undefined
    ? 'help takes one command, such as help run.'
    : `There is no help on "${shownWord(word)}".${didYouMean(word, topics)}`;
}

/** Reads a command line; a refusal's message says what is wrong. */
export function parseCommand(argv: readonly string[]): Result<Command, 'usage'> {
  const plain = plainText(argv);
  if (plain !== null) return ok(plain);
  const [verb = '', ...rest] = argv;
  if (isTopic(verb)) return commands[verb](rest);
  if (verb === 'help' || isHelp(verb)) return refuse('usage', noHelpOn(rest));
  if (verb.startsWith('-')) return refuse('usage', 'The command comes first, such as run, then its options.');
  const near = didYouMean(verb, [...topics, 'version', 'help']);
  return refuse('usage', `There is no command "${shownWord(verb)}".${near}`);
}

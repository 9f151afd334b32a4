import { parseArgs } from 'node:util';
import { ok, refuse, type Result } from '#machines/kit/result.ts';
import {
  type InstallOptions,
  parseInstall,
  parseUninstall,
  type UninstallOptions,
  unreadable,
} from './install/arguments.ts';
import type { RendererMode } from '#machines/renderer/events.ts';
import { rendererModes } from '#machines/renderer/options.ts';
import { profileOf, type Provision, provisionOf, provisionOptions, type ProvisionValues } from './provision-options.ts';
import { defaultPort, plainVerb } from './usage.ts';

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
}

export type Command =
  | { readonly verb: 'run'; readonly options: RunOptions }
  | { readonly verb: 'doctor'; readonly options: RunOptions }
  | { readonly verb: 'install'; readonly options: InstallOptions }
  | { readonly verb: 'uninstall'; readonly options: UninstallOptions }
  | { readonly verb: 'version' }
  | { readonly verb: 'help' };

function portOf(text: string | undefined): Result<number, 'usage'> {
  if (text === undefined) return ok(defaultPort);
  const port = Number(text);
  return Number.isInteger(port) && port >= 1 && port <= 65_535
    ? ok(port)
    : refuse('usage', '--port must be a whole number from 1 to 65535.');
}

/** The options of `run` as typed. */
interface RunValues extends ProvisionValues {
  readonly data?: string;
  readonly port?: string;
  readonly profile?: string;
  readonly 'default-profile'?: string;
  readonly renderer?: string;
  readonly inspect?: boolean;
  readonly 'no-discovery'?: boolean;
  readonly help?: boolean;
}

function valuesOf(args: readonly string[]): Result<RunValues, 'usage'> {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        ...provisionOptions,
        data: { type: 'string' },
        port: { type: 'string' },
        profile: { type: 'string' },
        'default-profile': { type: 'string' },
        renderer: { type: 'string' },
        inspect: { type: 'boolean' },
        'no-discovery': { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    });
    return ok(values);
  } catch (failure) {
    return unreadable(failure);
  }
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
  });
}

/** Reads a command line; a refusal's message says what is wrong. */
export function parseCommand(argv: readonly string[]): Result<Command, 'usage'> {
  const [verb, ...rest] = argv;
  const plain = plainVerb(verb);
  if (plain !== null) return ok({ verb: plain });
  if (verb === 'install' || verb === 'uninstall') return verb === 'install' ? parseInstall(rest) : parseUninstall(rest);
  if (verb !== 'run' && verb !== 'doctor')
    return refuse('usage', `There is no command "${(verb ?? '').slice(0, 40)}".`);
  const values = valuesOf(rest);
  if (!values.ok) return values;
  if (values.value.help === true) return ok({ verb: 'help' });
  const options = runOptionsOf(values.value);
  return options.ok ? ok({ verb, options: options.value }) : options;
}

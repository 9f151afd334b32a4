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

/** The port of the contract ("Limits"). */
export const defaultPort = 8888;

/** What `sconce run` was asked for. */
export interface RunOptions extends Provision {
  /** Data folder; null for the default of the system. */
  readonly data: string | null;
  /** TCP port, 1 to 65535. */
  readonly port: number;
  /**
   * Profile chosen by hand: an id of a bundled one, `linux` or `auto`; null for the stored selection or
   * for what fits the machine.
   */
  readonly profile: string | null;
  /** Profile that stands for what fits the machine, until another one is selected on the panel; null for none. */
  readonly defaultProfile: string | null;
  /** What shows the dashboard; null to find a display on a real panel and to start nothing on a simulated one. */
  readonly renderer: RendererMode | null;
  /** Whether the inspector shows the agent while it runs. */
  readonly inspect: boolean;
  /** Whether the panel is announced on the network and looks for Home Assistant there (mDNS). */
  readonly discovery: boolean;
}

/** What the command line asks for. */
export type Command =
  | { readonly verb: 'run'; readonly options: RunOptions }
  | { readonly verb: 'doctor'; readonly options: RunOptions }
  | { readonly verb: 'install'; readonly options: InstallOptions }
  | { readonly verb: 'uninstall'; readonly options: UninstallOptions }
  | { readonly verb: 'version' }
  | { readonly verb: 'help' };

const calling = 'Usage: sconce <command> [options]';

/** What stands before the reason where a command line is wrong. */
export const shortUsage = `${calling}; all of them: sconce help\n`;

/** How to call it, for `sconce help`. */
export const usage = `${calling}

  run       start the agent in the foreground
  doctor    what works on this panel, what is missing and how to fix it; it finds its agent by --data
  install   make this machine a panel that starts by itself: shows what it adds and why, asks, adds it
  uninstall take everything away again
  version   print the version

Options of run and doctor:
  --data FOLDER           where settings are kept (default: $STATE_DIRECTORY, else the XDG state folder)
  --port PORT             TCP port of pages and API (default: ${defaultPort})
  --profile NAME          a profile that comes with Sconce, auto for the one that fits this machine, or linux for any Linux panel
                          (default: the selected one, else auto where a screen is found, else simulated)
  --default-profile NAME  the same, but a profile that is selected on the panel goes before it
  --renderer MODE         auto finds a display for the dashboard, headless draws it unseen, none starts no browser
                          (run only; default: auto, on a simulated panel none)
  --inspect               show the parts, their states and events at /inspector (run only; for finding faults)
  --no-discovery          neither announce this panel on the network nor look for Home Assistant there (run only)

Options of run and install, which set a panel up. What somebody sets on the panel later is kept, and the log says so:
  --name TEXT             what the panel is called
  --panel-id ID           the short name that its entity ids begin with
  --mqtt-broker ADDRESS   where the MQTT broker listens, mqtt://192.168.1.10:1883
  --mqtt-user NAME        the user name that the broker knows the panel by
  --mqtt-pass-file FILE   take the broker's password from this file, for the broker of --mqtt-broker; without that option the
                          panel asks once which broker it is for
  --ha-url ADDRESS        where Home Assistant is, http://192.168.1.10:8123
  --ha-user NAME          sign in there as this user while nobody is signed in
  --ha-pass-file FILE     take that user's password from this file, which nobody else may read; only tokens are kept
  --ha-token-file FILE    take Home Assistant's long-lived access token from this file, in place of a user; needs --ha-url
  --home-dashboard PATH   the page of Home Assistant that the panel returns to, /lovelace/hallway

Options of install and uninstall:
  --dry-run               only show the list
  --yes                   do not ask
  --session kiosk|user    a screen of its own, or the desktop of --user NAME (default: what the machine has; install only)
  --profile NAME          the profile until another one is selected on the panel, as for run (install only)
  --no-packages           leave Debian packages to you (install only)
  --purge                 remove settings and sign-in too (uninstall only)
  --purge-packages        remove the Debian packages that came with it too (uninstall only)

Exit status: 0 all is well; 1 something failed or needs a person; 2 the command line is wrong; 75 start it again (run only:
another profile was selected, or one that is being tried has failed).
`;

const portOf = (text: string | undefined): Result<number, 'usage'> => {
  if (text === undefined) return ok(defaultPort);
  const port = Number(text);
  return Number.isInteger(port) && port >= 1 && port <= 65_535
    ? ok(port)
    : refuse('usage', '--port must be a whole number from 1 to 65535.');
};

/** The options of `run` as they were typed. */
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

const valuesOf = (args: readonly string[]): Result<RunValues, 'usage'> => {
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
};

const runOptionsOf = (values: RunValues): Result<RunOptions, 'usage'> => {
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
};

/** Reads a command line; a refusal's message says what is wrong. */
export const parseCommand = (argv: readonly string[]): Result<Command, 'usage'> => {
  const [verb, ...rest] = argv;
  if (verb === undefined || verb === 'help' || verb === '--help' || verb === '-h') return ok({ verb: 'help' });
  if (verb === 'version' || verb === '--version') return ok({ verb: 'version' });
  if (verb === 'install' || verb === 'uninstall') return verb === 'install' ? parseInstall(rest) : parseUninstall(rest);
  if (verb !== 'run' && verb !== 'doctor') return refuse('usage', `There is no command "${verb.slice(0, 40)}".`);
  const values = valuesOf(rest);
  if (!values.ok) return values;
  if (values.value.help === true) return ok({ verb: 'help' });
  const options = runOptionsOf(values.value);
  return options.ok ? ok({ verb, options: options.value }) : options;
};

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
import { ADDRESS_LENGTH, homeAssistantOrigin } from '#machines/sign-in/home-assistant-address.ts';
import { rendererModes } from '#machines/renderer/options.ts';
import { bundledProfiles } from '#profiles/bundled.ts';
import { autoName, shortNames } from '#profiles/choose.ts';

/** The port of the contract ("Limits"). */
export const defaultPort = 8888;

/** What `sconce run` was asked for. */
export interface RunOptions {
  /** Data folder; null for the default of the system. */
  readonly data: string | null;
  /** TCP port, 1 to 65535. */
  readonly port: number;
  /**
   * Profile chosen by hand: an id of a bundled one, `linux` or `auto`; null for the stored selection or
   * for what fits the machine.
   */
  readonly profile: string | null;
  /** What shows the dashboard; null to find a display on a real panel and to start nothing on a simulated one. */
  readonly renderer: RendererMode | null;
  /** File that holds the broker's password; null for none. */
  readonly mqttPassFile: string | null;
  /** File that holds a long-lived access token of Home Assistant; null for none. */
  readonly haTokenFile: string | null;
  /** Who signs in to which Home Assistant (its origin), and the file that holds their password; null for nobody. */
  readonly haLogin: { readonly url: string; readonly user: string; readonly passFile: string } | null;
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
  --renderer MODE         auto finds a display for the dashboard, headless draws it unseen, none starts no browser
                          (run only; default: auto, on a simulated panel none)
  --mqtt-pass-file FILE   take the broker's password from this file (run only)
  --ha-token-file FILE    take Home Assistant's long-lived access token from this file (run only)
  --ha-url ADDRESS        the Home Assistant that --ha-pass-file is for; it is saved where none is set (run only)
  --ha-user NAME          sign in there as this user while nobody is signed in (run only)
  --ha-pass-file FILE     take that user's password from this file, which nobody else may read; it is not kept (run only)
  --inspect               show the parts, their states and events at /inspector (run only; for finding faults)
  --no-discovery          neither announce this panel on the network nor look for Home Assistant there (run only)

Options of install and uninstall:
  --dry-run               only show the list
  --yes                   do not ask
  --session kiosk|user    a screen of its own, or the desktop of --user NAME (default: what the machine has; install only)
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

/** Longest name of a user in characters. */
const maxUserLength = 256;

/** The three options go together: a password is for one user of one Home Assistant, whatever address is set later. */
const haLoginOf = ({
  url,
  user,
  passFile,
}: Readonly<Record<'url' | 'user' | 'passFile', string | undefined>>): Result<RunOptions['haLogin'], 'usage'> => {
  if (url === undefined && user === undefined && passFile === undefined) return ok(null);
  if (passFile === undefined)
    return refuse('usage', '--ha-url and --ha-user need --ha-pass-file FILE: the file that holds the password.');
  if (user === undefined) return refuse('usage', '--ha-pass-file needs --ha-user NAME: whose password it is.');
  if (url === undefined)
    return refuse('usage', '--ha-pass-file needs --ha-url ADDRESS: the Home Assistant that the password is for.');
  if (user === '' || user.length > maxUserLength)
    return refuse('usage', `--ha-user must be a name of 1 to ${maxUserLength} characters.`);
  const origin = url.length > ADDRESS_LENGTH ? null : homeAssistantOrigin(url);
  if (origin === null) return refuse('usage', `--ha-url must have at most ${ADDRESS_LENGTH} characters.`);
  return origin.ok
    ? ok({ url: origin.value, user, passFile })
    : refuse('usage', `The address of --ha-url ${origin.message}.`);
};

/** What `--profile` takes. */
const profileNames = (): readonly string[] => [
  autoName,
  ...Object.keys(shortNames),
  ...bundledProfiles().map(({ document }) => document.id),
];

/** Reads a command line; a refusal's message says what is wrong. */
export const parseCommand = (argv: readonly string[]): Result<Command, 'usage'> => {
  const [verb, ...rest] = argv;
  if (verb === undefined || verb === 'help' || verb === '--help' || verb === '-h') return ok({ verb: 'help' });
  if (verb === 'version' || verb === '--version') return ok({ verb: 'version' });
  if (verb === 'install' || verb === 'uninstall') return verb === 'install' ? parseInstall(rest) : parseUninstall(rest);
  if (verb !== 'run' && verb !== 'doctor') return refuse('usage', `There is no command "${verb.slice(0, 40)}".`);
  let values: {
    data?: string;
    port?: string;
    profile?: string;
    renderer?: string;
    'mqtt-pass-file'?: string;
    'ha-token-file'?: string;
    'ha-url'?: string;
    'ha-user'?: string;
    'ha-pass-file'?: string;
    inspect?: boolean;
    'no-discovery'?: boolean;
    help?: boolean;
  };
  try {
    values = parseArgs({
      args: rest,
      options: {
        data: { type: 'string' },
        port: { type: 'string' },
        profile: { type: 'string' },
        renderer: { type: 'string' },
        'mqtt-pass-file': { type: 'string' },
        'ha-token-file': { type: 'string' },
        'ha-url': { type: 'string' },
        'ha-user': { type: 'string' },
        'ha-pass-file': { type: 'string' },
        inspect: { type: 'boolean' },
        'no-discovery': { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    }).values;
  } catch (failure) {
    return unreadable(failure);
  }
  if (values.help === true) return ok({ verb: 'help' });
  const port = portOf(values.port);
  if (!port.ok) return port;
  const { profile } = values;
  if (profile !== undefined && !profileNames().includes(profile))
    return refuse('usage', `--profile must be one of: ${profileNames().join(', ')}.`);
  const renderer = rendererModes.find((mode) => mode === values.renderer);
  if (values.renderer !== undefined && renderer === undefined)
    return refuse('usage', '--renderer must be auto, headless or none.');
  if (values.data === '') return refuse('usage', '--data must name a folder.');
  const haLogin = haLoginOf({ url: values['ha-url'], user: values['ha-user'], passFile: values['ha-pass-file'] });
  if (!haLogin.ok) return haLogin;
  return ok({
    verb,
    options: {
      data: values.data ?? null,
      port: port.value,
      profile: profile ?? null,
      renderer: renderer ?? null,
      mqttPassFile: values['mqtt-pass-file'] ?? null,
      haTokenFile: values['ha-token-file'] ?? null,
      haLogin: haLogin.value,
      inspect: values.inspect === true,
      discovery: values['no-discovery'] !== true,
    },
  });
};

import type { InstallRequest, RemovalRequest } from '#machines/install/events.ts';
import { ok, refuse, type Result } from '#machines/kit/result.ts';
import { givenNames, profileOf, type Provision, provisionOf, provisionOptions } from '../provision-options.ts';
import { readOptions } from '../read-options.ts';

/** The options of both commands. */
interface Calling {
  readonly dryRun: boolean;
  /** Do not ask for consent. */
  readonly yes: boolean;
}

/** The options of `sconce install`. */
export interface InstallOptions extends InstallRequest, Provision, Calling {
  /** List what is there already too. */
  readonly all: boolean;
}

/** The options of `sconce uninstall`. */
export interface UninstallOptions extends RemovalRequest, Calling {}

type Parsed<V extends string, O> = Result<
  { readonly verb: V; readonly options: O } | { readonly verb: 'help'; readonly topic: V },
  'usage'
>;

const text = { type: 'string' } as const;
const flag = { type: 'boolean', default: false } as const;

const calling = { 'dry-run': flag, yes: { ...flag, short: 'y' }, help: { ...flag, short: 'h' } } as const;

/** The options of `sconce install`, in the form of `parseArgs`. */
export const installOptions = {
  ...calling,
  ...provisionOptions,
  all: flag,
  session: text,
  user: text,
  profile: text,
  'no-packages': flag,
} as const;

/** The options of `sconce uninstall`. */
export const uninstallOptions = { ...calling, purge: flag, 'purge-packages': flag } as const;

/** Reads the options of `sconce install`. */
export function parseInstall(args: readonly string[]): Parsed<'install', InstallOptions> {
  const parsed = readOptions('install', args, installOptions);
  if (!parsed.ok) return parsed;
  const { all, session, user, help, yes, 'dry-run': dryRun, 'no-packages': noPackages, ...values } = parsed.value;
  if (help) return ok({ verb: 'help', topic: 'install' });
  if (session !== undefined && session !== 'kiosk' && session !== 'user')
    return refuse('usage', '--session must be kiosk or user.');
  if (user !== undefined && !/^[a-z_][a-z0-9_.-]{0,31}$/i.test(user))
    return refuse('usage', '--user must be the name of a user of this machine.');
  const profile = profileOf('--profile', values.profile);
  if (!profile.ok) return profile;
  const provision = provisionOf(values);
  if (!provision.ok) return provision;
  return ok({
    verb: 'install',
    options: {
      ...provision.value,
      given: givenNames(values),
      shape: session ?? null,
      user: user ?? null,
      profile: profile.value,
      packages: !noPackages,
      all,
      dryRun,
      yes,
    },
  });
}

/** Reads the options of `sconce uninstall`. */
export function parseUninstall(args: readonly string[]): Parsed<'uninstall', UninstallOptions> {
  const parsed = readOptions('uninstall', args, uninstallOptions);
  if (!parsed.ok) return parsed;
  const { help, yes, purge, 'dry-run': dryRun, 'purge-packages': packages } = parsed.value;
  return help
    ? ok({ verb: 'help', topic: 'uninstall' })
    : ok({ verb: 'uninstall', options: { purge, packages, dryRun, yes } });
}

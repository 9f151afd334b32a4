import { isAbsolute, join, resolve } from 'node:path';

/** Where the data folder's path can come from. */
export interface FolderSources {
  /** `--data`, undefined when it was not given. */
  readonly flag: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The home folder of the user. */
  readonly home: string;
}

/**
 * The data folder: `--data`, else the first of $STATE_DIRECTORY (systemd.exec: a colon-separated list), else
 * $XDG_STATE_HOME/sconce (ignored unless absolute, as its specification says), else ~/.local/state/sconce.
 */
export const dataFolder = (sources: FolderSources): string => {
  if (sources.flag !== undefined && sources.flag !== '') return resolve(sources.flag);
  const given = sources.env['STATE_DIRECTORY']?.split(':').find((path) => path !== '');
  if (given !== undefined) return resolve(given);
  const xdg = sources.env['XDG_STATE_HOME'];
  return join(xdg !== undefined && isAbsolute(xdg) ? xdg : join(sources.home, '.local', 'state'), 'sconce');
};

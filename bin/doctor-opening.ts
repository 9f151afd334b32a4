import type { Manifest } from '#machines/install/events.ts';
import type { RunOptions } from './arguments.ts';
import { quoted } from './credential-file.ts';
import type { NotRunning, Running } from './running-agent.ts';
import { defaultPort } from './usage.ts';

/** The options that say which agent is meant. */
type Asked = Pick<RunOptions, 'data' | 'port'>;

/** What is installed on this machine; null if nothing is. */
type Installed = Pick<Manifest, 'shape' | 'user'> | null;

/** The command that starts or restarts the installed agent, for the user `caller` of the shell. */
function systemctl(verb: 'start' | 'restart', { shape, user }: NonNullable<Installed>, caller: string): string {
  if (shape === 'kiosk') return `sudo systemctl ${verb} sconce`;
  return caller === user ? `systemctl --user ${verb} sconce` : `sudo systemctl --user -M ${user}@ ${verb} sconce`;
}

const isNamed = ({ data, port }: Asked): boolean => data !== null || port !== defaultPort;

/** An agent started by hand, with the options that name its folder and port. */
const runCommand = ({ data, port }: Asked): string =>
  [
    'bin/run',
    ...(data === null ? [] : [`--data ${quoted(data)}`]),
    ...(port === defaultPort ? [] : [`--port ${port}`]),
  ].join(' ');

/** The first line of doctor if no agent answered: that it is not running, and the one command that starts it. */
export function notRunningLine(
  { found, port }: NotRunning,
  asked: Asked,
  installed: Installed,
  caller: string,
): string {
  const unit = isNamed(asked) ? null : installed;
  switch (found) {
    case 'none': {
      const where =
        asked.data !== null ? 'with that data folder' : asked.port === defaultPort ? 'here' : `on port ${asked.port}`;
      const start = unit === null ? runCommand(asked) : systemctl('start', unit, caller);
      return `Sconce is not running ${where}. Start it: ${start}`;
    }
    case 'mute': {
      const restart =
        unit === null
          ? `Stop it and start it again: ${runCommand(asked)}`
          : `Restart it: ${systemctl('restart', unit, caller)}`;
      return `Sconce is running here, but does not answer on port ${port ?? asked.port}. ${restart}`;
    }
    case 'silent':
      return 'Sconce is starting here or belongs to another user, so its port is not known. Try again in a minute, or name the port: --port PORT';
  }
}

/** The first line of doctor beside an agent: its address, `origin`. */
export const runningLine = ({ guessed }: Pick<Running, 'guessed'>, origin: string): string =>
  guessed
    ? `Sconce is running at ${origin}/ (the port of this data folder's panel is not known, so this may be another one)`
    : `Sconce is running at ${origin}/`;

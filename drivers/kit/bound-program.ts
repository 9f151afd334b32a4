import { existsSync } from 'node:fs';

/** util-linux, part of every Debian. */
const SETPRIV = '/usr/bin/setpriv';

/**
 * The command, ended by the kernel if the agent is killed: no orphan goes on. setpriv replaces itself by the program,
 * so the process id is the program's; one that does not exist ends with status 127.
 */
export const boundProgram = (tool: string, args: readonly string[]): readonly [string, readonly string[]] =>
  existsSync(SETPRIV) ? [SETPRIV, ['--pdeathsig', 'KILL', tool, ...args]] : [tool, args];

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { MachineScan, Person, StepState, Step } from '#machines/install/events.ts';
import type { RunCommand } from './command.ts';
import { DOCUMENT } from '#drivers/store/folder.ts';
import { filesOf } from './home-files.ts';
import { findPerson, readGroups } from './people.ts';
import { type ProgramSource, isProgramCurrent } from './program.ts';
import { ownField } from '#machines/kit/own-field.ts';

/** Command and arguments for the service manager of the system, or of one user. */
export const systemctlFor = (person: Person | null): readonly [string, readonly string[]] =>
  person === null
    ? ['systemctl', []]
    : [
        'runuser',
        [
          '-u',
          person.name,
          '--',
          'env',
          `XDG_RUNTIME_DIR=/run/user/${person.uid}`,
          `HOME=${person.home}`,
          'systemctl',
          '--user',
        ],
      ];

/** True if a unit runs, starts, or is about to be restarted. */
export async function unitLives(run: RunCommand, name: string, person: Person | null): Promise<boolean> {
  const [command, args] = systemctlFor(person);
  return /^(?:active|activating|reloading|deactivating)$/.test(
    (await run(command, [...args, 'is-active', name])).out.trim(),
  );
}

async function unitRuns(run: RunCommand, name: string, person: Person | null): Promise<boolean> {
  const [command, args] = systemctlFor(person);
  const [enabled, active] = await Promise.all([
    run(command, [...args, 'is-enabled', name]),
    run(command, [...args, 'is-active', name]),
  ]);
  return enabled.out.trim() === 'enabled' && active.out.trim() === 'active';
}

/** State of a step on this machine; changes nothing. `scratch` is a folder that may be created and is removed again. */
export async function stateOf(
  run: RunCommand,
  step: Exclude<Step, { kind: 'given' }>,
  scan: MachineScan,
  source: ProgramSource,
  scratch: string,
): Promise<StepState> {
  const there = (is: boolean): StepState => (is ? 'there' : 'to-add');
  switch (step.kind) {
    case 'package':
      return there(ownField(scan.packages, step.name)?.installed === true);
    case 'group':
      return there(scan.groups.includes(step.name));
    case 'user':
      return there(findPerson(step.name) !== null);
    case 'membership':
      return there(readGroups().get(step.group)?.includes(step.user) === true);
    case 'program':
      if (isProgramCurrent(source, step.folder, scratch)) return 'there';
      return existsSync(join(step.folder, 'program')) ? 'to-replace' : 'to-add';
    case 'file': {
      const found = filesOf(step.owner).read(step.path);
      if (found === null) return 'to-add';
      return found.text === step.text && found.mode === step.mode ? 'there' : 'to-replace';
    }
    case 'linger':
      return there(existsSync(join('/var/lib/systemd/linger', step.user)));
    case 'settings':
      return there(existsSync(join(step.to, DOCUMENT)));
    case 'unit':
      return there(await unitRuns(run, step.name, step.person));
  }
}

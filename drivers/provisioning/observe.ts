import { readFile } from 'node:fs/promises';

import { fromDriver } from '#drivers/kit/from-driver.ts';
import { ownUser } from '#drivers/kit/own-user.ts';
import { runTool } from '#drivers/kit/run-tool.ts';
import type {
  Observed,
  ProvisioningDriverCommand,
  ProvisioningFact,
  Requirement,
  SlotEvidence,
} from '#machines/provisioning/events.ts';
import type { Milliseconds } from '#machines/kit/units.ts';

/** A passive probe for the device of one part. */
interface SlotProbe {
  readonly slot: string;
  readonly probe: () => Promise<SlotEvidence>;
}

/** Sources of a scan; the system's own by default. */
export interface ObserveOptions {
  readonly requirements: readonly Requirement[];
  readonly probes: readonly SlotProbe[];
  readonly now: () => number;
  /** File of the system's groups (group(5)). */
  readonly groupFile?: string;
  /** File of the udev rules that `sconce install` writes. */
  readonly rulesFile?: string;
  /** Time limit of one probe; 3 s by default. */
  readonly boundMs?: Milliseconds;
}

/** Largest number of names kept from one probe. */
const MOST_NAMES = 32;

const late: SlotEvidence = { state: 'unknown', names: [], detail: 'The scan for this part timed out.' };
const broken: SlotEvidence = { state: 'unknown', names: [], detail: 'The scan for this part failed.' };

const within = (probe: () => Promise<SlotEvidence>, boundMs: Milliseconds): Promise<SlotEvidence> =>
  new Promise((resolve) => {
    const timer = setTimeout(() => resolve(late), boundMs);
    probe()
      .then(
        (evidence) => resolve({ ...evidence, names: evidence.names.slice(0, MOST_NAMES) }),
        () => resolve(broken),
      )
      .finally(() => clearTimeout(timer));
  });

async function lines(file: string): Promise<readonly string[] | null> {
  try {
    return (await readFile(file, 'utf8')).split('\n');
  } catch {
    // Missing, or not readable by this user.
    return null;
  }
}

const unique = (
  requirements: readonly Requirement[],
  of: (requirement: Requirement) => readonly string[],
): readonly string[] => [...new Set(requirements.flatMap(of))];

async function packagesOf(names: readonly string[], signal: AbortSignal): Promise<Observed['packages']> {
  if (names.length === 0) return {};
  const queried = await runTool(
    'dpkg-query',
    ['-W', '-f', '${Package} ${db:Status-Status}\\n', ...names],
    process.env,
    signal,
  );
  // dpkg-query fails as a whole if it does not know one of the names, so each is then queried separately.
  if (queried.ok) return Object.fromEntries(names.map((name) => [name, queried.value.includes(`${name} installed`)]));
  if (queried.reason === 'not-installed') return null;
  const each = await Promise.all(
    names.map(
      async (name) =>
        [name, await runTool('dpkg-query', ['-W', '-f', '${db:Status-Status}', name], process.env, signal)] as const,
    ),
  );
  return Object.fromEntries(each.map(([name, answer]) => [name, answer.ok && answer.value.trim() === 'installed']));
}

async function observe(options: ObserveOptions, signal: AbortSignal): Promise<Observed> {
  const {
    requirements,
    probes,
    now,
    groupFile = '/etc/group',
    rulesFile = '/etc/udev/rules.d/60-sconce.rules',
    boundMs = 3000,
  } = options;
  const at = now();
  const wanted = new Set(unique(requirements, (requirement) => requirement.groups));
  const [packages, table, rules, evidence] = await Promise.all([
    packagesOf(
      unique(requirements, (requirement) => requirement.packages),
      signal,
    ),
    lines(groupFile),
    lines(rulesFile),
    Promise.all(probes.map(async ({ slot, probe }) => [slot, await within(probe, boundMs)] as const)),
  ]);
  const own = new Set(process.getgroups?.() ?? []);
  const groups = (table ?? [])
    .map((line) => line.split(':'))
    .filter(([name]) => name !== undefined && wanted.has(name));
  return {
    at,
    packages,
    groupsKnown: groups.map(([name]) => name ?? ''),
    groupsOwn: groups.filter(([, , gid]) => own.has(Number(gid))).map(([name]) => name ?? ''),
    root: process.getuid?.() === 0,
    user: ownUser(),
    rules:
      rules === null ? null : rules.map((line) => line.trim()).filter((line) => line !== '' && !line.startsWith('#')),
    evidence: Object.fromEntries(evidence),
  };
}

/** On command, scans packages, groups, device rules and the devices themselves; changes nothing. */
export const provisioningObserver = (options: ObserveOptions) =>
  fromDriver<ProvisioningDriverCommand, undefined, ProvisioningFact>(({ send, onEvent, guard, signal }) =>
    onEvent(
      guard(async () => {
        const observed = await observe(options, signal);
        if (!signal.aborted) send({ type: 'provisioning.observed', observed });
      }),
    ),
  );

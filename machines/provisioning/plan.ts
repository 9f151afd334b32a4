import { withoutSudo } from '../kit/root-shell.ts';
import { quoted } from '../kit/shown-text.ts';
import type { Verdict } from '../kit/verdict.ts';
import type { Importance, Observed, Requirement } from './events.ts';
import { ownField } from '../kit/own-field.ts';

/** State of an item (as in panel-assistant). */
export type ItemStatus = 'satisfied' | 'actionable' | 'manual' | 'blocked' | 'degraded' | 'not_applicable';

/** Who can fix an item: the agent itself, a command on this machine, or a person at the panel. */
type Executor = 'app' | 'host' | 'local_user' | 'none';

/** One requirement of the profile, compared with the machine. */
export interface PlanItem {
  /** `package.mpv`, `group.video`, `udev.relay.gpio`, `part.relay1`. */
  readonly id: string;
  /**
   * Title for people: of a part, the title of its capability with the driver's in brackets; of a step of the profile,
   * its author's words as a quotation.
   */
  readonly title: string;
  readonly importance: Importance;
  readonly status: ItemStatus;
  readonly executor: Executor;
  /** The required state, in one sentence. */
  readonly desired_state: string;
  /** The observed state, in one sentence. */
  readonly observed_state: string;
  readonly reason_code: string;
  /** The one command that fixes it; null if there is none. */
  readonly command: string | null;
}

/** The items and their overall state. */
export interface Plan {
  readonly state: 'satisfied' | 'attention';
  readonly items: readonly PlanItem[];
}

/** The fields of a capability in the status document that a plan needs. */
export interface ShownCapability extends Verdict {
  readonly id: string;
  readonly title: string;
}

type Judged = Pick<PlanItem, 'status' | 'executor' | 'observed_state' | 'reason_code' | 'command'>;

const INSTALL = 'sudo sconce install';

const rank: Readonly<Record<Importance, number>> = { required: 2, recommended: 1, optional: 0 };

const judged = (
  status: ItemStatus,
  reason_code: string,
  observed_state: string,
  executor: Executor = 'none',
  command: string | null = null,
): Judged => ({ status, executor, observed_state, reason_code, command });

function judgePackage(name: string, { packages }: Observed): Judged {
  if (packages === null)
    return judged(
      'manual',
      'no-dpkg',
      'This system has no Debian packages; the part itself shows whether the program is installed.',
      'local_user',
    );
  return ownField(packages, name) === true
    ? judged('satisfied', 'installed', 'It is installed.')
    : judged(
        'actionable',
        'not-installed',
        'It is not installed.',
        'host',
        `sudo apt-get install --no-install-recommends ${name}`,
      );
}

function judgeGroup(name: string, { groupsKnown, groupsOwn, root, user }: Observed): Judged {
  if (root) return judged('satisfied', 'root', 'The agent runs as root, which needs no group.');
  if (groupsOwn.includes(name)) return judged('satisfied', 'member', 'The agent has this group.');
  if (!groupsKnown.includes(name))
    return judged('actionable', 'no-such-group', 'This system has no such group yet.', 'host', INSTALL);
  return judged(
    'actionable',
    'not-a-member',
    'The agent does not have this group. A new group takes effect after the next start of the machine.',
    'host',
    `sudo usermod -aG ${name} ${user ?? '"$USER"'}`,
  );
}

function judgeRules(wanted: readonly string[], { rules, root }: Observed): Judged {
  if (root) return judged('satisfied', 'root', 'The agent runs as root, which needs no device rule.');
  const there = wanted.every((rule) => (rules ?? []).includes(rule.trim()));
  return there
    ? judged('satisfied', 'written', 'The device rules are written.')
    : judged('actionable', 'not-written', 'The device rules are not written.', 'host', INSTALL);
}

/** A part that works but lacks something is degraded. */
const judgeWorking = ({ reason, detail, missing, fix }: Verdict): Judged =>
  missing === null
    ? judged('satisfied', reason, detail)
    : judged(
        'degraded',
        reason,
        `${detail} Missing: ${missing}`,
        fix === null ? 'local_user' : 'host',
        fix?.command ?? null,
      );

/** A part that was tried is judged by its verdict, any other by the probe of its device. */
function judgePart({ slot }: Requirement, observed: Observed, verdict: Verdict | null): Judged {
  const evidence = observed.evidence[slot];
  if (verdict !== null && verdict.state !== 'checking') {
    if (verdict.state === 'working') return judgeWorking(verdict);
    const command = verdict.fix?.command ?? null;
    if (command !== null) return judged('actionable', verdict.reason, verdict.detail, 'host', command);
    if (verdict.state === 'not_here' || evidence?.state === 'missing')
      return judged('blocked', verdict.reason, verdict.detail, 'local_user');
    return judged(evidence?.state === 'found' ? 'degraded' : 'manual', verdict.reason, verdict.detail, 'local_user');
  }
  switch (evidence?.state) {
    case 'found':
      return judged('degraded', 'not-tried-yet', `${evidence.detail} It has not been tried yet.`);
    case 'denied':
      return judged('actionable', 'denied', evidence.detail, 'host', INSTALL);
    case 'missing':
      return judged('blocked', 'no-device', evidence.detail, 'local_user');
    default:
      return judged('manual', 'not-looked-yet', evidence?.detail ?? 'Only using it can tell.', 'local_user');
  }
}

const highest = (requirements: readonly Requirement[]): Importance =>
  requirements.map((requirement) => requirement.importance).reduce((a, b) => (rank[b] > rank[a] ? b : a), 'optional');

/** One item for each requirement that several parts share. */
const shared = (
  requirements: readonly Requirement[],
  of: (requirement: Requirement) => readonly string[],
  make: (name: string, users: readonly Requirement[]) => PlanItem,
): readonly PlanItem[] =>
  [...new Set(requirements.flatMap(of))].toSorted().map((name) =>
    make(
      name,
      requirements.filter((requirement) => of(requirement).includes(name)),
    ),
  );

/** Capabilities with their verdicts, by id. */
type Rows = ReadonlyMap<string, ShownCapability>;

const rowOf = ({ capability }: Requirement, rows: Rows): ShownCapability | null =>
  capability === null ? null : (rows.get(capability) ?? null);

/** True if the machine lists no device of that part, and using it has not found one either. */
const isAway = (requirement: Requirement, { evidence }: Observed, rows: Rows): boolean =>
  rowOf(requirement, rows)?.state === 'not_here' && evidence[requirement.slot]?.state === 'missing';

/** A missing item that no part misses needs no work. */
function unlessUnneeded(users: readonly Requirement[], observed: Observed, rows: Rows, found: Judged): Judged {
  if (found.status === 'satisfied') return found;
  if (users.every((requirement) => rowOf(requirement, rows)?.state === 'working'))
    return judged('not_applicable', 'works-without', 'Every part that needs it works without it.');
  return users.every((requirement) => isAway(requirement, observed, rows))
    ? judged('not_applicable', 'no-device', 'This machine has no device that needs it.')
    : found;
}

/** A part has the title of its capability on the panel's pages. */
const nameOf = (requirement: Requirement, rows: Rows): string => rowOf(requirement, rows)?.title ?? requirement.slot;

const usersOf = (requirements: readonly Requirement[], rows: Rows): string =>
  [...new Set(requirements.map((requirement) => nameOf(requirement, rows)))].join(', ');

/** The author of a profile can write anything, so their words appear as a quotation and never as Sconce's own. */
const askedByAuthor = (users: readonly Requirement[]): readonly string[] =>
  users.flatMap(({ beside }) =>
    beside === undefined
      ? []
      : [`The author of the profile asks for it${beside.note === null ? '' : `: ${quoted(beside.note)}`}.`],
  );

function wantedPackage(name: string, users: readonly Requirement[], rows: Rows): string {
  const parts = users.filter(({ beside }) => beside === undefined);
  const why = parts.length === 0 ? '' : `, for: ${usersOf(parts, rows)}`;
  return [`The Debian package ${name} is installed${why}.`, ...askedByAuthor(users)].join(' ');
}

/** Adds the driver in brackets, lower-cased as part of a title unless it begins with an abbreviation. */
function partTitle(requirement: Requirement, rows: Rows): string {
  const name = nameOf(requirement, rows);
  const driver = requirement.title.replace(/^[A-Z](?=[a-z ])/, (letter) => letter.toLowerCase());
  return name.toLowerCase() === driver.toLowerCase() ? name : `${name} (${driver})`;
}

/**
 * Compares what the profile requires with what was observed: packages first, then rights, then the parts themselves.
 * `capabilities` are the rows of the status document, so that names and verdicts match it.
 */
export function planProvisioning(
  requirements: readonly Requirement[],
  observed: Observed,
  capabilities: readonly ShownCapability[],
): Plan {
  const rows: Rows = new Map(capabilities.map((row) => [row.id, row]));
  const withRules = requirements.filter((requirement) => requirement.udev.length > 0);
  const items: readonly PlanItem[] = [
    ...shared(
      requirements,
      (requirement) => requirement.packages,
      (name, users) => ({
        id: `package.${name}`,
        title: `Package ${name}`,
        importance: highest(users),
        desired_state: wantedPackage(name, users, rows),
        ...unlessUnneeded(users, observed, rows, judgePackage(name, observed)),
      }),
    ),
    ...shared(
      requirements,
      (requirement) => requirement.groups,
      (name, users) => ({
        id: `group.${name}`,
        title: `Group ${name}`,
        importance: highest(users),
        desired_state: `The agent has the group ${name}, for: ${usersOf(users, rows)}.`,
        ...unlessUnneeded(users, observed, rows, judgeGroup(name, observed)),
      }),
    ),
    ...shared(
      withRules,
      (requirement) => [requirement.driver],
      (driver, users) => ({
        id: `udev.${driver}`,
        title: `Device rules of ${driver}`,
        importance: highest(users),
        desired_state: `The devices are open to the agent without root, for: ${usersOf(users, rows)}.`,
        ...unlessUnneeded(users, observed, rows, judgeRules(users[0]?.udev ?? [], observed)),
      }),
    ),
    ...requirements
      .filter(({ beside }) => beside === undefined)
      .map((requirement) => ({
        id: `part.${requirement.slot}`,
        title: partTitle(requirement, rows),
        importance: requirement.importance,
        desired_state: `The part ${requirement.slot} works through the driver ${requirement.driver}.`,
        ...judgePart(requirement, observed, rowOf(requirement, rows)),
      })),
    ...requirements.flatMap(({ slot, title, importance, beside }) =>
      beside?.kind === 'manual'
        ? [
            {
              id: `manual.${slot}`,
              title: `Step of the profile's author: ${quoted(title)}`,
              importance,
              desired_state: `The author of the profile asks you: ${quoted(beside.note ?? title)}`,
              ...judged('manual', 'by-hand', 'Only a person can check this.', 'local_user'),
            },
          ]
        : [],
    ),
  ];
  const isSatisfied = items.every(
    (item) => item.status === 'satisfied' || item.status === 'not_applicable' || item.importance === 'optional',
  );
  return { state: isSatisfied ? 'satisfied' : 'attention', items };
}

/** The same plan for a root shell. */
export const planForRootShell = (plan: Plan): Plan => ({
  ...plan,
  items: plan.items.map((item) => ({ ...item, command: item.command === null ? null : withoutSudo(item.command) })),
});

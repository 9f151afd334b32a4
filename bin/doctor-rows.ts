import type { PlanItem } from '#machines/provisioning/plan.ts';
import type { CapabilityRow } from '#machines/kit/status.ts';

/** One thing that doctor reports, in one of the four words. */
export interface DoctorRow extends Pick<CapabilityRow, 'title' | 'state' | 'detail' | 'missing'> {
  readonly fix: { readonly command: string; readonly effect: string | null } | null;
  /** True to show its detail even if it simply works. */
  readonly isInFull?: boolean;
}

/** The fields of a plan item that doctor reports. */
export type DoctorItem = Pick<PlanItem, 'id' | 'title' | 'status' | 'desired_state' | 'observed_state' | 'command'>;

const words: Readonly<Record<PlanItem['status'], CapabilityRow['state']>> = {
  satisfied: 'working',
  actionable: 'needs_you',
  // It was not checked, or was found but not tried.
  manual: 'checking',
  degraded: 'checking',
  blocked: 'not_here',
  not_applicable: 'off',
};

const isPart = ({ id }: DoctorItem): boolean => id.startsWith('part.');

/** A part has the title of its capability, alone or with its driver in brackets (machines/provisioning/plan.ts). */
const isReportedBy = ({ title }: DoctorItem, capabilities: readonly DoctorRow[]): boolean =>
  capabilities.some((row) => title === row.title || title.startsWith(`${row.title} (`));

/** The driver's name, if a part has no name for people. */
function nameOf({ title }: DoctorItem): string {
  const name = /\((.+)\)$/.exec(title)?.[1] ?? title;
  return `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`;
}

const partRow = (item: DoctorItem): DoctorRow => ({
  title: nameOf(item),
  state: words[item.status],
  detail: item.observed_state,
  missing: null,
  fix: item.command === null ? null : { command: item.command, effect: null },
});

/**
 * Something that a part would need and that this machine lacks. No one has to act on it; a part that needs it says so
 * itself.
 */
const besideRow = ({ title, observed_state, desired_state, command }: DoctorItem): DoctorRow => ({
  title,
  state: 'not_here',
  detail: `${observed_state} ${desired_state}`,
  missing: null,
  fix: command === null ? null : { command, effect: null },
});

/**
 * The rows of a panel, each thing once: its capabilities, the parts of the plan that are none, and the missing
 * packages, groups and device rules that no earlier row has a command for.
 */
export function doctorRows(capabilities: readonly DoctorRow[], items: readonly DoctorItem[]): readonly DoctorRow[] {
  const commands = new Set(capabilities.flatMap(({ fix }) => fix?.command ?? []));
  const parts = items.filter((item) => isPart(item) && !isReportedBy(item, capabilities)).map(partRow);
  const beside = items
    .filter(({ id, status }) => /^(?:package|group|udev)\./.test(id) && status === 'actionable')
    .filter(({ command }) => command === null || !commands.has(command))
    .map(besideRow);
  return [...capabilities, ...parts, ...beside];
}

/** The steps that a profile asks of a person and that cannot be checked, one sentence each. */
export const stepsByHand = (items: readonly DoctorItem[]): readonly string[] =>
  items.filter(({ id }) => id.startsWith('manual.')).map(({ desired_state: note }) => note);

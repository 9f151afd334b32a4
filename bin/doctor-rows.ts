import type { PlanItem } from '#machines/provisioning/plan.ts';
import type { CapabilityRow } from '#machines/kit/status.ts';

/** One thing that doctor tells, in one of the four words. */
export interface DoctorRow extends Pick<CapabilityRow, 'title' | 'state' | 'detail' | 'missing'> {
  readonly fix: { readonly command: string; readonly effect: string | null } | null;
}

/** An item of the plan, as far as doctor tells of it. */
export type DoctorItem = Pick<PlanItem, 'id' | 'title' | 'status' | 'desired_state' | 'observed_state' | 'command'>;

const words: Readonly<Record<PlanItem['status'], CapabilityRow['state']>> = {
  satisfied: 'working',
  actionable: 'needs_you',
  // Nobody looked, or what was seen was not tried.
  manual: 'checking',
  degraded: 'checking',
  blocked: 'not_here',
  not_applicable: 'off',
};

const isPart = ({ id }: DoctorItem): boolean => id.startsWith('part.');

/** A part has the title of its capability, alone or with its driver in brackets (machines/provisioning/plan.ts). */
const isToldBy = ({ title }: DoctorItem, capabilities: readonly DoctorRow[]): boolean =>
  capabilities.some((row) => title === row.title || title.startsWith(`${row.title} (`));

/** The driver's words, where a part has no name for people. */
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

/** What a part would need and this machine has not: no work for anybody, unless a part needs it, which then says so. */
const besideRow = ({ title, observed_state, desired_state, command }: DoctorItem): DoctorRow => ({
  title,
  state: 'not_here',
  detail: `${observed_state} ${desired_state}`,
  missing: null,
  fix: command === null ? null : { command, effect: null },
});

/**
 * What is told of a panel, each thing once: its capabilities, the parts of the plan that are none, and of packages,
 * groups and device rules those that are missing and that no row before has a command for.
 */
export function doctorRows(capabilities: readonly DoctorRow[], items: readonly DoctorItem[]): readonly DoctorRow[] {
  const commands = new Set(capabilities.flatMap(({ fix }) => fix?.command ?? []));
  const parts = items.filter((item) => isPart(item) && !isToldBy(item, capabilities)).map(partRow);
  const beside = items
    .filter(({ id, status }) => /^(?:package|group|udev)\./.test(id) && status === 'actionable')
    .filter(({ command }) => command === null || !commands.has(command))
    .map(besideRow);
  return [...capabilities, ...parts, ...beside];
}

/** The steps that a profile asks of a person and nobody can see done, one sentence each. */
export const stepsByHand = (items: readonly DoctorItem[]): readonly string[] =>
  items.filter(({ id }) => id.startsWith('manual.')).map(({ desired_state: note }) => note);

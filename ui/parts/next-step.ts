import type { CapabilityRow } from '#machines/kit/status.ts';
import { linkIds } from './link-state.ts';
import type { Sections } from './sections.ts';

/** True if it is a step of the setup. */
const isOfSetup = ({ id }: CapabilityRow): boolean => id === 'dashboard' || linkIds.includes(id);

/**
 * True if the summary's next step is about this capability, so that its needs are not repeated. While the setup is
 * due, it is the next step.
 */
export const isNext = ({ next, setup }: Sections<'next' | 'setup'>, row: CapabilityRow): boolean =>
  row.state === 'needs_you' && (setup?.due === true ? isOfSetup(row) : row.detail === next?.sentence);

export const furtherSteps = (status: Sections<'next' | 'setup' | 'capabilities'>): readonly CapabilityRow[] =>
  status.capabilities.filter((row) => row.state === 'needs_you' && !isNext(status, row));

import type { CapabilityRow } from '#machines/kit/status.ts';
import { linkIds } from './link-state.ts';
import type { Sections } from './sections.ts';

/** Whether the setup leads through it. */
const isOfSetup = ({ id }: CapabilityRow): boolean => id === 'dashboard' || linkIds.includes(id);

/**
 * Whether the next step of the summary is about this capability: what it needs is said there, and not again. While the
 * setup is due, that is the next step.
 */
export const isNext = ({ next, setup }: Sections<'next' | 'setup'>, row: CapabilityRow): boolean =>
  row.state === 'needs_you' && (setup?.due === true ? isOfSetup(row) : row.detail === next?.sentence);

/** What needs a person besides the next step. */
export const furtherSteps = (status: Sections<'next' | 'setup' | 'capabilities'>): readonly CapabilityRow[] =>
  status.capabilities.filter((row) => row.state === 'needs_you' && !isNext(status, row));

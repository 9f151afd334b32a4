import type { CapabilityRow } from '#machines/kit/status.ts';
import type { StatusDocument } from '#machines/status.ts';

/** Whether the next step of the summary is about this capability: what it needs is said there, and not again. */
export const isNext = ({ next }: Pick<StatusDocument, 'next'>, row: CapabilityRow): boolean =>
  row.state === 'needs_you' && row.detail === next?.sentence;

/** What needs a person besides the next step. */
export const furtherSteps = (status: Pick<StatusDocument, 'next' | 'capabilities'>): readonly CapabilityRow[] =>
  status.capabilities.filter((row) => row.state === 'needs_you' && !isNext(status, row));

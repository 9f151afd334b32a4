import type { StatusDocument } from '#machines/status.ts';
import type { JudgedCapability } from '#machines/status/needs.ts';
import type { RouteDeps } from '#routes/kit/deps.ts';

/** The verdicts on what this panel can do, in display order. */
export const readCapabilities = ({ status }: Pick<RouteDeps, 'status'>): readonly JudgedCapability[] => status.judged();

/** The status document, as of one moment of the last second. */
export const readStatus = ({ status }: Pick<RouteDeps, 'status'>): StatusDocument => status.document();

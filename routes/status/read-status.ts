import { judgeCapabilities } from '#machines/capabilities.ts';
import { forRootShell } from '#machines/kit/root-shell.ts';
import type { StatusDocument } from '#machines/status.ts';
import type { JudgedCapability } from '#machines/status/summary.ts';
import type { RouteDeps } from '#routes/kit/deps.ts';

/** The verdicts on what this panel can do, in the order in which pages show them. */
export const readCapabilities = ({ registry, rootShell }: RouteDeps): readonly JudgedCapability[] => {
  const rows = judgeCapabilities(registry.read, registry.ids(), registry.read('profile')?.context.absent ?? []);
  return rootShell ? rows.map(forRootShell) : rows;
};

/** The status document as it is now, all of it as of one moment of the last second. */
export const readStatus = ({ status }: Pick<RouteDeps, 'status'>): StatusDocument => status.document();

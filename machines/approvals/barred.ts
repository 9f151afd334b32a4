import type { BarredReason, ExposureFinding } from './events.ts';

/** What bars approving, for the owner. */
export const barredBy = (findings: readonly ExposureFinding[]): readonly BarredReason[] =>
  findings.map(({ code }) => ({ code, message: code, command: null }));

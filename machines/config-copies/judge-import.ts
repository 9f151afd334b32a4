import type { ImportOptions, ImportOutcome, SkippedKey } from './events.ts';
import { type ImportPlan, withCredentials } from './values.ts';

const reasonsOf = (skipped: readonly SkippedKey[], reasons: readonly SkippedKey['reason'][]) =>
  Object.fromEntries(
    skipped.filter(({ reason }) => reasons.includes(reason)).map(({ key, message }) => [key, message]),
  );

/** Why a plan is refused as a whole, by key; null if it may be carried out. */
function rejection({ patch, skipped, errors, rejected }: ImportPlan, strict: boolean) {
  if (rejected !== null) return rejected;
  const faulty = reasonsOf(skipped, ['invalid', 'recipient-changed']);
  const strange = strict ? reasonsOf(skipped, ['unknown']) : {};
  const isUseless = errors.length > 0 && Object.keys(patch).length === 0;
  const all = strict || isUseless ? { ...strange, ...faulty } : {};
  return Object.keys(all).length > 0 ? all : null;
}

const listsOf = ({ skipped, warnings, errors }: ImportPlan) => ({ applied: [], skipped, warnings, errors });

/**
 * Why nothing of a plan is carried out, given the digest of the configuration that it was made on; null if it may be.
 * A preview is refused by the same rules as the import that follows it.
 */
export function refusedImport(
  plan: ImportPlan,
  { strict, expectedCfg }: Pick<ImportOptions, 'strict' | 'expectedCfg'>,
  digest: string,
): Extract<ImportOutcome, { readonly status: 'stale-preview' | 'rejected' }> | null {
  if (expectedCfg !== null && expectedCfg !== digest)
    return { status: 'stale-preview', expectedCfg, actualCfg: digest };
  const reasons = rejection(plan, strict);
  return reasons === null ? null : { status: 'rejected', reasons, ...listsOf(plan) };
}

/** What an import would do; `digest` is what the import that follows may expect. */
export const previewOf = (
  plan: ImportPlan,
  digest: string,
  { hidesStored }: Pick<ImportOptions, 'hidesStored'>,
): Extract<ImportOutcome, { readonly status: 'preview' }> => ({
  status: 'preview',
  expectedCfg: digest,
  changes: hidesStored ? withCredentials(plan.changes, plan.credentials) : plan.changes,
  ...listsOf(plan),
});

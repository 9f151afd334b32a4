import { ENTITY_ID, type Learned, type Member, type Override, type Policy, type ScanInput } from './events.ts';
import type { EpochMs } from '../kit/units.ts';
const texts = (node: unknown): readonly string[] =>
  typeof node === 'string' ? [node] : typeof node === 'object' && node !== null ? Object.values(node).flatMap(texts) : [];
const member = (entityId: string): Member => ({ entityId, override: 'auto', evidence: [], misses: 0, exists: true });
const renewed = (learned: Learned): Learned =>
  learned.issues.some(({ blocks, fingerprint }) => blocks && !learned.ignored.includes(fingerprint))
    ? { ...learned, active: null }
    : { ...learned, active: learned.members.filter(({ override }) => override !== 'forced_exclude').map(({ entityId }) => entityId).toSorted() };
const added = (learned: Learned, ids: readonly string[]): Learned => {
  const fresh = ids.filter((id) => !learned.members.some(({ entityId }) => entityId === id));
  return fresh.length === 0 ? learned : renewed({ ...learned, members: [...learned.members, ...fresh.map(member)] });
};
export const afterScan = (learned: Learned, scan: ScanInput, _policy: Policy, at: EpochMs): Learned => {
  const ids = [...new Set(texts(scan.configuration).filter((text) => ENTITY_ID.test(text)))];
  const strategy = JSON.stringify(scan.configuration ?? { strategy: 1 }).includes('"strategy"');
  const issues = strategy ? [{ fingerprint: '0123456789abcdef', kind: 'strategy' as const, blocks: true, place: { view: null, card: null }, subject: null }] : [];
  return renewed({ ...learned, scannedAt: at, members: ids.map(member), issues });
};
export const afterRead = (learned: Learned, ids: readonly string[], policy: Policy): Learned => (policy.auto_runtime ? added(learned, ids) : learned);
export const afterOpened = (learned: Learned, id: string, _policy: Policy): Learned => added(learned, [id]);
export const afterEnumerated = (learned: Learned, file: string): Learned => renewed({ ...learned, issues: [...learned.issues, { fingerprint: 'fedcba9876543210', kind: 'enumerating-code', blocks: true, place: { view: null, card: null }, subject: file }] });
export const withOverride = (learned: Learned, ids: readonly string[] | 'candidates', override: Override, _force: boolean): { readonly ok: true; readonly learned: Learned } | { readonly ok: false; readonly reason: 'unknown'; readonly message: string } =>
  ids === 'candidates' ? { ok: true, learned } : { ok: true, learned: added(learned, override === 'pinned' ? ids : []) };
export const withDecision = (learned: Learned, _fingerprint: string, _ignored: boolean): Learned => learned;
export const withActivation = (learned: Learned): Learned => learned;
export const needsConfirmation = (_learned: Learned): boolean => false;

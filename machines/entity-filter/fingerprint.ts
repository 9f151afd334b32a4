import type { Issue, IssueKind, Place } from './persisted.ts';

const MASK = 0xff_ff_ff_ff_ff_ff_ff_ffn;

/** 64-bit FNV-1a of the text's UTF-8 bytes as 16 lower-case hex digits (draft-eastlake-fnv). */
export function fnv1a64(text: string): string {
  let hash = 0xcb_f2_9c_e4_84_22_23_25n;
  for (const byte of new TextEncoder().encode(text)) hash = ((hash ^ BigInt(byte)) * 0x1_00_00_00_01_b3n) & MASK;
  return hash.toString(16).padStart(16, '0');
}

/** Kinds of issues that keep a dashboard unfiltered. */
const blockingKinds: ReadonlySet<IssueKind> = new Set([
  'strategy',
  'enumerating-card',
  'enumerating-code',
  'too-large',
]);

/** True if issues of this kind keep a dashboard unfiltered. */
export const isBlocking = (kind: IssueKind): boolean => blockingKinds.has(kind);

/**
 * Creates an issue with its stable fingerprint, derived from dashboard, kind, place and subject. The dashboard is
 * included because two dashboards may have the same issue at the same place, and a decision applies to one of them.
 */
export const issueOf = (dashboard: string, kind: IssueKind, place: Place, subject: string | null = null): Issue => ({
  fingerprint: fnv1a64(JSON.stringify([dashboard, kind, place.view, place.card, subject])),
  kind,
  blocks: isBlocking(kind),
  place,
  subject,
});

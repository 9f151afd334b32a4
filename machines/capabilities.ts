import type { ActorId } from './actors.ts';
import type { Capability, Remedy } from './kit/capability.ts';
import { inPlaces } from './kit/places.ts';
import type { SnapshotView } from './kit/snapshot.ts';
import { checking } from './kit/verdict.ts';
import type { JudgedCapability } from './status/needs.ts';
import { pathOfField } from './setting-groups.ts';
import type { Manifest } from './subsystem.ts';
import { subsystems } from './subsystems.ts';

const manifests: readonly Manifest[] = subsystems;

/** Every capability that is judged, in the order in which pages show them. */
export const capabilities: readonly Capability<ActorId>[] = inPlaces(
  'capability',
  manifests.flatMap((subsystem) => subsystem.capabilities ?? []),
  ({ id, after }) => ({ keys: [id], after }),
);

/** The path of the page where a remedy is found. */
export const pathOf = (remedy: Remedy): string => (typeof remedy === 'string' ? remedy : pathOfField(remedy.field));

/** The verdict on one capability, from its actor's snapshot; null if it is not shown. */
export function judgeCapability(
  { id, title, judge, shown, urgency, pages, headlines }: Capability<ActorId>,
  snapshot: SnapshotView | undefined,
): JudgedCapability | null {
  if (shown !== undefined && (snapshot === undefined || !shown(snapshot))) return null;
  const verdict = snapshot === undefined ? checking : judge(snapshot);
  const remedy = pages?.[verdict.reason];
  const headline = headlines?.[verdict.reason] ?? headlines?.['*'];
  return {
    id,
    title,
    ...verdict,
    ...(urgency !== undefined && { urgency }),
    ...(remedy !== undefined && { page: pathOf(remedy) }),
    ...(headline !== undefined && { headline }),
  };
}

/**
 * The verdicts on everything supervised in this agent and not declared absent by the profile; `absent` are ids of
 * capabilities.
 */
export const judgeCapabilities = (
  read: (id: ActorId) => SnapshotView | undefined,
  supervised: readonly ActorId[],
  absent: readonly string[],
): readonly JudgedCapability[] =>
  capabilities
    .filter((row) => supervised.includes(row.actor) && !absent.includes(row.id))
    .flatMap((row) => judgeCapability(row, read(row.actor)) ?? []);

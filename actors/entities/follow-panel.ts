import type { ActorId, AnyActor } from '#machines/actors.ts';
import { capabilities } from '#machines/capabilities.ts';
import type { PanelParts } from '#machines/entities/panel.ts';
import { isHere } from '#machines/kit/capability.ts';
import type { EntityRow, LightModes } from '#machines/kit/entity.ts';
import type { SnapshotView } from '#machines/kit/snapshot.ts';

import { followAll, followList, lastKnown } from '../kit/follow-all.ts';
import { sameValue } from '../kit/follow.ts';
import type { Registry } from '../kit/registry.ts';

type Row = EntityRow<AnyActor>;
type Named = Pick<PanelParts, 'identity' | 'expose' | 'absent' | 'address' | 'port'> & {
  readonly optional: readonly string[];
};

/** A row with a condition; `ifOptional` is the capability that has to be optional in the profile for it to count. */
interface Conditional {
  readonly key: string;
  readonly actor: ActorId;
  readonly holds: (snapshot: SnapshotView) => boolean;
  readonly ifOptional: string | null;
}

function conditionOf({ key, actor, capability, shown, found, foundByCapability }: Row): Conditional | null {
  if (shown !== undefined) return { key, actor, holds: shown, ifOptional: null };
  if (found !== undefined) return { key, actor, holds: found, ifOptional: capability ?? null };
  const judged = foundByCapability === true ? capabilities.find(({ id }) => id === capability) : undefined;
  return judged === undefined
    ? null
    : { key, actor: judged.actor, holds: (snapshot) => isHere(judged.judge(snapshot)), ifOptional: null };
}

/** Rows with a condition; one of `found` counts only where the profile calls its capability optional. */
const conditionalIn = (rows: readonly Row[]): readonly Conditional[] => rows.flatMap((row) => conditionOf(row) ?? []);
const modesIn = (rows: readonly Row[]) =>
  rows.flatMap((row) =>
    row.entityKind === 'light' && row.modesNow !== undefined
      ? [{ key: row.key, actor: row.actor, modesNow: row.modesNow }]
      : [],
  );

/**
 * Follows everything that shapes the panel's device and its entities. Reports it once all of it is known, and again on
 * each change. Returns a function that stops following.
 */
export function followPanel(
  registry: Registry,
  rows: readonly Row[],
  changed: (parts: PanelParts) => void,
): () => void {
  const conditional = conditionalIn(rows);
  let named: Named | null = null;
  // A row is not announced until its condition is known.
  let unmet = conditional;
  let modes: Readonly<Record<string, LightModes>> = {};
  let reported: PanelParts | null = null;
  const report = (): void => {
    if (named === null) return;
    const { optional, ...facts } = named;
    const hidden = unmet.flatMap(({ key, ifOptional }) =>
      ifOptional === null || optional.includes(ifOptional) ? [key] : [],
    );
    const parts: PanelParts = { ...facts, hidden, modes };
    if (sameValue(reported, parts)) return;
    reported = parts;
    changed(parts);
  };
  const lights = modesIn(rows);
  const ends = [
    followList(
      registry,
      conditional.map(({ actor, holds }) => ({
        id: actor,
        selector: lastKnown((snapshot) => {
          const known = snapshot ?? registry.off(actor);
          return known === undefined ? null : holds(known);
        }),
      })),
      (values) => {
        unmet = conditional.filter((_, at) => values[at] !== true);
        report();
      },
    ),
    followList(
      registry,
      lights.map(({ actor, modesNow }) => ({
        id: actor,
        selector: lastKnown((snapshot) => (snapshot === undefined ? null : modesNow(snapshot))),
      })),
      (values) => {
        modes = Object.fromEntries(
          lights.flatMap(({ key }, at) => {
            const offered = values[at] ?? null;
            return offered === null ? [] : [[key, offered] as const];
          }),
        );
        report();
      },
    ),
    followAll(
      registry,
      {
        identity: lastKnown((snapshot) => {
          if (snapshot === undefined || snapshot.context.panelId === '') return null;
          const { panelId, installId, friendlyName, manufacturer, model, version } = snapshot.context;
          return { panelId, installId, friendlyName, manufacturer, model, version };
        }),
        settings: lastKnown((snapshot) =>
          snapshot === undefined || snapshot.context.revision === 0 ? null : snapshot.context.expose,
        ),
        'active-profile': lastKnown((snapshot) =>
          snapshot === undefined ? null : { absent: snapshot.context.absent, optional: snapshot.context.optional },
        ),
        readings: lastKnown((snapshot) => snapshot?.context.reading?.address ?? null),
        http: lastKnown((snapshot) =>
          snapshot !== undefined && snapshot.context.port > 0 ? snapshot.context.port : null,
        ),
      },
      ({ identity, settings: expose, 'active-profile': profile, readings: address, http: port }) => {
        if (identity === null || expose === null || profile === null) return;
        named = { identity, expose, ...profile, address, port: port ?? -1 };
        report();
      },
    ),
  ];
  return () => {
    for (const end of ends) end();
  };
}

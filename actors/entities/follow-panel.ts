import type { AnyActor } from '#machines/actors.ts';
import type { PanelParts } from '#machines/entities/panel.ts';
import type { EntityRow, LightModes } from '#machines/kit/entity.ts';

import { followAll, followList, lastKnown } from '../kit/follow-all.ts';
import { sameValue } from '../kit/follow.ts';
import type { Registry } from '../kit/registry.ts';

type Row = EntityRow<AnyActor>;
type Named = Pick<PanelParts, 'identity' | 'expose' | 'absent' | 'address' | 'port'>;

const shownIn = (rows: readonly Row[]) =>
  rows.flatMap(({ key, actor, shown }) => (shown === undefined ? [] : [{ key, actor, shown }]));
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
  const conditional = shownIn(rows);
  let named: Named | null = null;
  // A row is not announced until its condition is known.
  let hidden: readonly string[] = conditional.map(({ key }) => key);
  let modes: Readonly<Record<string, LightModes>> = {};
  let reported: PanelParts | null = null;
  const report = (): void => {
    if (named === null) return;
    const parts: PanelParts = { ...named, hidden, modes };
    if (sameValue(reported, parts)) return;
    reported = parts;
    changed(parts);
  };
  const lights = modesIn(rows);
  const ends = [
    followList(
      registry,
      conditional.map(({ actor, shown }) => ({
        id: actor,
        selector: lastKnown((snapshot) => {
          const known = snapshot ?? registry.off(actor);
          return known === undefined ? null : shown(known);
        }),
      })),
      (values) => {
        hidden = conditional.flatMap(({ key }, at) => (values[at] === true ? [] : [key]));
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
        'active-profile': lastKnown((snapshot) => snapshot?.context.absent ?? null),
        readings: lastKnown((snapshot) => snapshot?.context.reading?.address ?? null),
        http: lastKnown((snapshot) =>
          snapshot !== undefined && snapshot.context.port > 0 ? snapshot.context.port : null,
        ),
      },
      ({ identity, settings: expose, 'active-profile': absent, readings: address, http: port }) => {
        if (identity === null || expose === null || absent === null) return;
        named = { identity, expose, absent, address, port: port ?? -1 };
        report();
      },
    ),
  ];
  return () => {
    for (const end of ends) end();
  };
}

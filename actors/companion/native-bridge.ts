import { type After, byTimer } from '#drivers/kit/rounds.ts';
import type { Cleanup, DriverScope } from '#drivers/kit/from-driver.ts';
import type { AnyActor } from '#machines/actors.ts';
import { catalogueOf } from '#machines/companion/catalogue.ts';
import type { BridgeCommand, BridgeFact, CompanionExchange, Surface } from '#machines/companion/events.ts';
import { eventMessage, stateMessage } from '#machines/companion/row-state.ts';
import { wireTimes } from '#machines/companion/wire.ts';
import { stopping } from '#machines/entities/outcome.ts';
import { type EntityPanel, panelOf } from '#machines/entities/panel.ts';
import { occurredSince, readRow, type RowValue, sameRowValue } from '#machines/entities/row-value.ts';
import { type RowShape, shapeOf } from '#machines/entities/shape.ts';
import type { CommandRefused, EntityRow } from '#machines/kit/entity.ts';
import type { Milliseconds } from '#machines/kit/units.ts';

import type { Admission } from '../kit/admission.ts';
import { followPanel } from '../entities/follow-panel.ts';
import type { Registry } from '../kit/registry.ts';
import { createCommandIntake } from './command-intake.ts';
import type { Issues, IssuesScope } from './issues.ts';

export interface NativeBridgeDeps {
  readonly registry: Registry;
  /** Messages of the sessions. */
  readonly exchange: Pick<CompanionExchange, 'send' | 'serve'>;
  readonly rows: readonly EntityRow<AnyActor>[];
  /** Follows what needs a person. */
  readonly issues: (scope: IssuesScope) => Issues;
  /** Asks at the panel for commands that are protected. */
  readonly admission: Pick<Admission, 'admit' | 'whenAnswered'>;
  /** Milliseconds of the monotonic clock. */
  readonly elapsed: () => Milliseconds;
  /** Looks at changed settings before they are saved; null if nothing speaks against them. */
  readonly lookAtSettings?: (patch: Readonly<Record<string, unknown>>) => Promise<CommandRefused | null> | null;
  readonly after?: After;
}

/** What Home Assistant is shown. */
interface Offered {
  readonly panel: EntityPanel;
  readonly surface: Surface;
  readonly shapes: ReadonlyMap<string, RowShape>;
}

/** The same for the same catalogue. */
const textOf = ({ panel, surface, shapes }: Offered): string =>
  JSON.stringify(catalogueOf({ rev: 1, surface, panel, shapes: [...shapes.values()], timeouts: {} }));

/** How long commands of protected rows may wait, by the key of the row. */
const timeoutsOf = (rows: readonly EntityRow<AnyActor>[]): Readonly<Record<string, Milliseconds>> =>
  Object.fromEntries(
    rows.flatMap((row) => ('protects' in row && row.protects !== null ? [[row.key, wireTimes.longestDeadline]] : [])),
  );

/**
 * Connects the rows' actors and the sessions. Each session gets the catalogue, all states and the issues of the panel,
 * then what changes; its commands go to the actors, and each is answered once. It runs while there is a session.
 */
export const serveRows =
  (deps: NativeBridgeDeps) =>
  (scope: DriverScope<BridgeCommand, undefined, BridgeFact>): Cleanup => {
    const { registry, exchange, rows, after = byTimer } = deps;
    const { send, onEvent, guard } = scope;
    const timeouts = timeoutsOf(rows);
    const values = new Map<string, RowValue>();
    /** The sessions, each with the number of its catalogue. */
    const sessions = new Map<number, number>();
    /** Keys that were offered before: what is unplugged stays, unavailable. */
    const seen = new Set<string>();
    let surface: Surface | null = null;
    let panel: EntityPanel | null = null;
    let offered: Offered | null = null;
    let occurred = 0;

    const sync = (session: number, { panel: device, surface: of, shapes }: Offered): void => {
      const rev = (sessions.get(session) ?? 0) + 1;
      sessions.set(session, rev);
      exchange.send(session, catalogueOf({ rev, surface: of, panel: device, shapes: [...shapes.values()], timeouts }));
      for (const key of shapes.keys()) {
        const value = values.get(key);
        if (value !== undefined) exchange.send(session, stateMessage(key, value));
      }
      // Whatever a new session is not told by then is over.
      if (rev === 1) for (const issue of issues.told()) exchange.send(session, issue);
      exchange.send(session, { type: 'synced', ...(!issues.areKnown() && { checking: true }) });
    };
    /** Offers what there is now; over the broker there is nothing to offer here. */
    const offer = (): void => {
      if (panel === null || surface === null) return;
      const { shapes: all, hidden } = panel;
      const shown = surface === 'native' ? all.filter(({ key }) => !hidden.includes(key) || seen.has(key)) : [];
      for (const { key } of shown) seen.add(key);
      const before = offered;
      offered = { panel, surface, shapes: new Map(shown.map((shape) => [shape.key, shape])) };
      if (before !== null && textOf(before) === textOf(offered)) return;
      send({ type: 'catalogue.sent', announced: shown.map(({ key, entityKind }) => ({ key, entityKind })) });
      for (const session of sessions.keys()) sync(session, offered);
    };
    const takeRow = (key: string, value: RowValue): void => {
      const before = values.get(key);
      values.set(key, value);
      if (offered?.shapes.has(key) !== true) return;
      const isChanged =
        before === undefined || !sameRowValue({ ...before, occurrences: [] }, { ...value, occurrences: [] });
      const news = occurredSince(before, value).map((one) => eventMessage(key, (occurred += 1), one));
      for (const session of sessions.keys()) {
        if (isChanged) exchange.send(session, stateMessage(key, value));
        for (const message of news) exchange.send(session, message);
      }
    };
    const issues = deps.issues({
      guard,
      after,
      changed: (issue) => {
        for (const session of sessions.keys()) exchange.send(session, issue);
      },
      known: () => {
        for (const [session, rev] of sessions) if (rev > 0) exchange.send(session, { type: 'synced' });
      },
    });
    const intake = createCommandIntake({
      ...deps,
      after,
      scope,
      shapeOf: (key) => (surface === 'native' ? (offered?.shapes.get(key) ?? null) : null),
      surface: () => surface,
      ended: (refusal) => send({ type: 'command.ended', code: refusal?.reason ?? null }),
    });

    onEvent((command) => {
      for (const key of command.offered) seen.add(key);
      if (command.surface === surface) return;
      surface = command.surface;
      offer();
    });
    const ends = [
      ...rows.map((row) => {
        const shape = shapeOf(row);
        return registry.follow(
          row.actor,
          (snapshot) => readRow(row, snapshot ?? registry.off(row.actor), shape),
          (value) => takeRow(row.key, value),
          sameRowValue,
        );
      }),
      followPanel(registry, rows, (parts) => {
        panel = panelOf(rows, parts, 'native');
        offer();
      }),
      exchange.serve({
        opened: guard((session) => {
          if (sessions.has(session)) return;
          sessions.set(session, 0);
          if (offered !== null) sync(session, offered);
        }),
        closed: guard((session) => {
          sessions.delete(session);
          intake.forget(session);
        }),
        received: guard((message) => {
          if (sessions.has(message.session)) intake.take(message);
        }),
      }),
    ];
    return () => {
      for (const end of ends) end();
      issues.stop();
      intake.stop(stopping);
    };
  };

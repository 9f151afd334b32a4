import type { ActorId } from '#machines/actors.ts';
import { capabilities, judgeCapability } from '#machines/capabilities.ts';
import { forRootShell } from '#machines/kit/root-shell.ts';
import { capabilityRow, parkedParts } from '#machines/kit/status.ts';
import { type StatusDocument, statusSections, statusWarnings, updateNotice } from '#machines/status.ts';
import type { JudgedCapability } from '#machines/status/needs.ts';
import { summarise } from '#machines/status/summary.ts';
import { newerNotice } from '#machines/store/loss.ts';
import type { Ambient, ProjectionInput } from '#machines/subsystem.ts';
import { newestHistory } from './read-history.ts';
import type { FieldGroup, Made } from './incremental.ts';

/** The fields of the document, and the intermediate values that they are made from. */
interface Fields extends StatusDocument {
  readonly judged: readonly JudgedCapability[];
}

/** Fields made from others: `make` gets those that `from` names, and the facts of the actors in `reads`. */
function derived<
  const K extends keyof Fields = never,
  const I extends ActorId = never,
  const U extends keyof Ambient = never,
>(group: {
  readonly from?: readonly K[];
  readonly reads?: readonly I[];
  readonly uses?: readonly U[];
  readonly make: (fields: Pick<Fields, K>, input: ProjectionInput<I, U>) => Partial<Fields>;
}): FieldGroup {
  const { from = [], reads = [], uses = [], make } = group;
  return {
    reads,
    uses,
    from,
    make: (input, made) => {
      const fields = Object.fromEntries(from.map((name) => [name, made.get(name)]));
      // Each of them was made by its own group, whose type is checked there.
      return make(fields as unknown as Pick<Fields, K>, input);
    },
  };
}

const verdictOf = (id: string): string => `verdict ${id}`;
const warningAt = (index: number): string => `warning ${index}`;

/** Every group of the status document, each after those that it is made from. */
export function fieldGroups({
  rootShell,
  inspecting,
}: {
  readonly rootShell: boolean;
  readonly inspecting: boolean;
}): readonly FieldGroup[] {
  const verdicts = capabilities.map((row): FieldGroup => ({
    reads: [row.actor],
    uses: [],
    from: [],
    make: ({ view }) => {
      const judged = judgeCapability(row, view(row.actor));
      return { [verdictOf(row.id)]: judged !== null && rootShell ? forRootShell(judged) : judged };
    },
  }));
  const judged: FieldGroup = {
    reads: ['active-profile'],
    uses: ['supervised'],
    from: capabilities.map(({ id }) => verdictOf(id)),
    make: ({ read, supervised }, made) => {
      const absent = read('active-profile')?.absent ?? [];
      return {
        judged: capabilities
          .filter(({ id, actor }) => supervised.includes(actor) && !absent.includes(id))
          .flatMap(({ id }) => made.get(verdictOf(id)) ?? []),
      };
    },
  };
  const warnings = statusWarnings.map(({ reads, uses = [], lines }, index): FieldGroup => ({
    reads,
    uses,
    from: [],
    make: (input) => ({ [warningAt(index)]: lines(input) }),
  }));
  const sections = statusSections.map(({ reads, uses = [], view }): FieldGroup => ({
    reads,
    uses,
    from: [],
    make: view,
  }));
  return [
    ...verdicts,
    judged,
    ...warnings,
    {
      reads: [],
      uses: [],
      from: warnings.map((_, index) => warningAt(index)),
      make: (_, made: Made) => ({ warnings: warnings.flatMap((__, index) => made.get(warningAt(index))) }),
    },
    ...sections,
    derived({ uses: ['tree'], make: (_, { tree }) => ({ supervision: tree }) }),
    derived({
      from: ['judged'],
      make: ({ judged: rows }) => ({
        capabilities: rows.map(({ urgency: _urgency, page: _page, headline: _headline, ...row }) => capabilityRow(row)),
      }),
    }),
    derived({
      from: ['judged', 'panel', 'mqtt', 'platform', 'home_presence', 'configuration', 'supervision'],
      reads: ['store'],
      make: ({ judged: rows, panel, mqtt, platform, home_presence: home, configuration, supervision }, { read }) =>
        summarise({
          simulated: panel.profile.simulated,
          capabilities: rows,
          connected: mqtt?.phase === 'connected' && platform?.phase === 'live',
          announced: platform?.announced.length ?? 0,
          home,
          parked: parkedParts(supervision),
          loss: configuration.loss,
          newer: newerNotice(read('store')?.newer ?? null),
        }),
    }),
    derived({ reads: ['history'], make: (_, { read }) => ({ happened: newestHistory(read('history')) }) }),
    derived({ make: () => ({ inspecting, ...updateNotice }) }),
  ];
}

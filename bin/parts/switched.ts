import { type Part, switchedPart, unloadedPart } from '#actors/kit/part.ts';
import type { Registry, RegistryControl } from '#actors/kit/registry.ts';
import type { ActorId } from '#machines/actors.ts';
import { type RunsWhile, wantedBy } from '#machines/kit/runs-while.ts';
import type { Manifest } from '#machines/subsystem.ts';
import { subsystems } from '#machines/subsystems.ts';
import type { GroupId } from '#machines/supervision-groups.ts';
import type { LaterPart } from './deps.ts';

/** Starts and stops a loaded part, and is told of each part that was loaded. */
interface SwitchControl {
  readonly adopt: (id: ActorId) => void;
  readonly dismiss: (id: ActorId) => void;
  readonly onLoaded: (part: Part) => void;
  readonly isStopping: () => boolean;
}

/** The parts that run only while the settings ask for them. */
export interface SwitchedParts {
  readonly has: (id: ActorId) => boolean;
  /**
   * The part that the supervisor holds for the whole run. It is loaded now if it is wanted, and otherwise once it is;
   * it is dropped when it is off again. One that cannot be loaded is parked, and each retry loads it again.
   */
  readonly attach: (part: LaterPart, group: GroupId) => Promise<Part>;
  /** Follows the settings; returns a function that stops it. */
  readonly begin: (control: SwitchControl) => () => void;
}

/** A switched part, and what is known of it. */
interface Row {
  readonly id: ActorId;
  readonly rule: RunsWhile;
  /** Null until the settings are known. */
  wanted: boolean | null;
  /** Counts the switches: what was loaded for an earlier one is dropped. */
  turn: number;
  /** Undefined until its group is loaded, and on a panel without it. */
  load?: () => Promise<Part>;
  spec?: Part;
  current: Part | null;
}

const manifests: readonly Manifest[] = subsystems;

/** The manifests' rules, by the ids of their actors. */
const switchRules = (all = manifests): ReadonlyMap<ActorId, RunsWhile> =>
  new Map(all.flatMap(({ ids, runsWhile }) => (runsWhile === undefined ? [] : ids.map((id) => [id, runsWhile]))));

export function createSwitchedParts(
  registry: Pick<Registry, 'follow'> & Pick<RegistryControl, 'switchedOff'>,
  rules = switchRules(),
): SwitchedParts {
  const rows = new Map(
    [...rules].map(([id, rule]): [ActorId, Row] => [id, { id, rule, wanted: null, turn: 0, current: null }]),
  );
  let control: SwitchControl | null = null;

  async function turnOn(row: Row): Promise<void> {
    const { id, load, spec } = row;
    if (load === undefined || spec === undefined) return;
    row.turn += 1;
    const { turn } = row;
    const part = await load().catch(() => unloadedPart(id, spec.group, load));
    if (turn !== row.turn || control?.isStopping() === true) return;
    row.current = part;
    registry.switchedOff(id, null);
    control?.onLoaded(spec);
    control?.adopt(id);
  }
  function turnOff(row: Row): void {
    row.turn += 1;
    if (row.spec === undefined) return;
    registry.switchedOff(row.id, row.rule.off);
    control?.dismiss(row.id);
  }
  return {
    has: (id) => rows.has(id),
    attach: async ({ id, load }, group) => {
      const row = rows.get(id);
      if (row === undefined) throw new Error(`the part ${id} runs whatever the settings say`);
      const release = (): void => {
        if (row.wanted !== true) row.current = null;
      };
      const spec = switchedPart(id, group, () => row, release);
      row.load = load;
      row.spec = spec;
      if (row.wanted === true) await turnOn(row);
      else if (row.wanted === false) turnOff(row);
      return spec;
    },
    begin: (given) => {
      control = given;
      return registry.follow(
        'settings',
        (snapshot) => [...rows.values()].map(({ rule }) => wantedBy(rule, snapshot?.context)),
        (desired) => {
          const changed = [...rows.values()].flatMap((row, at) => {
            const wanted = desired[at] ?? null;
            // While the settings restart, the last known value counts.
            if (wanted === null || wanted === row.wanted) return [];
            row.wanted = wanted;
            return [row];
          });
          for (const row of changed) if (row.wanted === true) void turnOn(row);
          // What starts last stops first, as in the tree.
          for (const row of changed.toReversed()) if (row.wanted === false) turnOff(row);
        },
      );
    },
  };
}

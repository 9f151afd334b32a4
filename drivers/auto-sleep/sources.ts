import { serial } from '#drivers/kit/serial.ts';
import type {
  AreaSources,
  Feed,
  FeedPosition,
  IncludeOutcome,
  SleepRequest,
  SleepSettings,
  SourceMode,
} from '#machines/auto-sleep/events.ts';
import { ok, refuse } from '#machines/kit/result.ts';

import type { InclusionStore, ObservePresence, PresenceWatch, SleepScope } from './contract.ts';

type Include = Extract<SleepRequest, { readonly type: 'auto-sleep.include' }>;

interface SourcesOptions {
  readonly observe: ObservePresence;
  readonly store: InclusionStore;
  readonly onFeed: (feed: Feed, position: FeedPosition, partition: string) => void;
  readonly onDiscovered: (count: number) => void;
  readonly onApproached: () => void;
  /** Which sources count has changed. */
  readonly onChosen: () => void;
}

export interface Sources {
  /** Watches what these settings name; the same is not begun again. */
  readonly follow: (settings: SleepSettings) => void;
  /** What the owner left out, as it was stored. */
  readonly leaveOut: (excluded: readonly string[]) => void;
  /** The area with its sources; null while none is known. */
  readonly area: () => AreaSources | null;
  /** Which source is watched, counted; what was asked of an earlier one is late. */
  readonly generation: () => number;
  readonly include: (wanted: Include) => Promise<IncludeOutcome>;
  readonly end: () => void;
}

/** Without the key, or with it as the newest; the oldest of too many are forgotten. */
function withKey(excluded: readonly string[], key: string, isIncluded: boolean, most: number): readonly string[] {
  const others = excluded.filter((one) => one !== key);
  return isIncluded ? others : [...others, key].slice(-most);
}

const withSource = (area: AreaSources, key: string, isIncluded: boolean): AreaSources => ({
  ...area,
  sources: area.sources.map((source) => (source.key === key ? { ...source, isIncluded } : source)),
});

/** The sources of presence: one watch at a time, and which of them count. */
export function sources({ guard, signal }: SleepScope, options: SourcesOptions): Sources {
  const { observe, store, onFeed, onDiscovered, onApproached, onChosen } = options;
  const inTurn = serial();
  let mode: SourceMode | null = null;
  let excluded: readonly string[] = [];
  let watch: PresenceWatch | null = null;
  /** As answered until the watch that was begun again knows its area. */
  let lastArea: AreaSources | null = null;
  let generation = 0;
  let revision = 0;

  function end(): void {
    watch?.end();
    watch = null;
    generation += 1;
  }
  function begin(): void {
    end();
    if (mode === null || signal.aborted) return;
    const mine = generation;
    const whileCurrent = <A extends readonly unknown[]>(take: (...args: A) => void) =>
      guard((...args: [...A]) => {
        if (mine === generation) take(...args);
      });
    watch = observe(mode, excluded, {
      onFeed: whileCurrent((feed: Feed, partition: string) => {
        revision += 1;
        onFeed(feed, { generation: mine, revision }, partition);
      }),
      onDiscovered: whileCurrent((count: number) => {
        lastArea = null;
        onDiscovered(count);
      }),
      onApproached: whileCurrent(onApproached),
    });
  }
  const area = (): AreaSources | null => watch?.area() ?? lastArea;

  async function included({ areaKey, sourceKey, included: isIncluded }: Include): Promise<IncludeOutcome> {
    const known = area();
    const source = known?.sources.find(({ key }) => key === sourceKey);
    if (known === null || known.areaKey !== areaKey || source === undefined)
      return refuse('stale', 'The area or its sensors have changed. Reload the page.');
    const next = withKey(excluded, sourceKey, isIncluded, store.most);
    if (next.join() === excluded.join()) return ok({ included: isIncluded });
    if (!(await store.write({ excluded: next })))
      return refuse('not-kept', 'The disk refused to store the choice, so nothing has changed.');
    excluded = next;
    lastArea = withSource(known, sourceKey, isIncluded);
    onChosen();
    begin();
    return ok({ included: isIncluded });
  }
  return {
    follow: ({ enabled, source }) => {
      const wanted = enabled ? source : null;
      if (wanted === mode) return;
      mode = wanted;
      lastArea = null;
      if (mode === null) onDiscovered(0);
      begin();
    },
    leaveOut: (stored) => {
      excluded = stored;
    },
    area,
    generation: () => generation,
    include: (wanted) => inTurn(() => included(wanted)),
    end,
  };
}

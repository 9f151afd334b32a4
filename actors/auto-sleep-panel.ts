import type { ObservePanel, PanelHandlers } from '#drivers/auto-sleep/contract.ts';
import { showsDashboard } from '#machines/auto-sleep/shows-dashboard.ts';
import type { SnapshotView } from '#machines/kit/snapshot.ts';
import type { ProximityContext } from '#machines/proximity/events.ts';
import { isRunning } from '#machines/proximity/session.ts';
import type { RendererActor } from '#machines/renderer/events.ts';
import { phaseOf } from '#machines/renderer/phase.ts';
import type { VoiceContext } from '#machines/voice/events.ts';

import { followAll } from './kit/follow-all.ts';
import type { Registry } from './kit/registry.ts';

/** True while a person is guided through a calibration, in front of the panel. */
const isCalibrating = (snapshot: SnapshotView<ProximityContext> | undefined): boolean =>
  snapshot !== undefined && snapshot.context.session !== null && isRunning(snapshot.context.session.stage);

/**
 * What is on the screen. The panel's own pages close five minutes after the last touch, which is shorter than a lease:
 * while they are open they are in use.
 */
function shownOn(snapshot: SnapshotView<RendererActor['context']> | undefined, stayAwake: string) {
  const phase = snapshot === undefined ? 'off' : phaseOf(snapshot);
  return {
    ownPages: phase === 'settings',
    dashboard: phase === 'showing' && showsDashboard(snapshot?.context.path ?? null, stayAwake),
  };
}

/** A turn of voice, from its trigger to the end of its answer, which lights the screen as an announcement does. */
const isInTurn = (snapshot: SnapshotView<VoiceContext> | undefined): boolean =>
  snapshot !== undefined && snapshot.context.times !== null;

/** What holds the screen lit, whatever the sources report. */
const followHolds = (registry: Registry, stayAwake: string, { onHolds }: PanelHandlers): (() => void) =>
  followAll(
    registry,
    {
      announcer: (snapshot) => snapshot?.context.phase === 'playing',
      voice: isInTurn,
      proximity: isCalibrating,
      renderer: (snapshot) => shownOn(snapshot, stayAwake),
    },
    ({ announcer, voice, proximity: calibration, renderer }) =>
      onHolds({ announcement: announcer || voice, calibration, ...renderer }),
  );

/**
 * Calls back when a count or a time changes, also if the clock was set back; what it was at first, and after a restart,
 * is no news.
 */
function onNext(onChange: () => void): (value: number | null) => void {
  let before: number | null = null;
  return (value) => {
    const isNext = before !== null && value !== null && value !== before && value > 0;
    before = value;
    if (isNext) onChange();
  };
}

/** Calls back at each touch or wave since the follower began; 0 is none before. */
export function followTouches(
  registry: Pick<Registry, 'follow'>,
  onTouched: PanelHandlers['onTouched'],
): readonly (() => void)[] {
  return [
    registry.follow(
      'input',
      (snapshot) => (snapshot === undefined ? null : (snapshot.context.last?.at ?? 0)),
      onNext(() => onTouched(false)),
    ),
    registry.follow(
      'proximity',
      (snapshot) => (snapshot === undefined ? null : snapshot.context.waves),
      onNext(() => onTouched(true)),
    ),
  ];
}

/** Watches what happens at the panel itself. */
export const observePanel =
  (registry: Registry): ObservePanel =>
  (stayAwake, handlers) => {
    const ends = [
      followHolds(registry, stayAwake, handlers),
      ...followTouches(registry, handlers.onTouched),
      registry.follow(
        'auto-brightness',
        (snapshot) => {
          const state = snapshot?.context.room.state;
          return snapshot?.value !== 'off' && state !== undefined && state !== 'unavailable';
        },
        handlers.onBrightness,
      ),
    ];
    return () => {
      for (const end of ends) end();
    };
  };

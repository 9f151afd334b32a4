import type { EventObject } from 'xstate';

import { fromDriver } from '#drivers/kit/from-driver.ts';
import type { CameraScan } from '#machines/camera/events.ts';
import {
  type CameraHeight,
  cameraHeights,
  type CaptureDriver,
  type EncodeRequest,
  type IndicationCommand,
  type IndicationFact,
  type ScannedCamera,
  type StillDriver,
  type StreamDriver,
  type SurroundingsFact,
} from '#machines/camera-session/events.ts';
import { cameraSession } from '#machines/camera-session/index.ts';
import { cameraSessionMachine } from '#machines/camera-session/machine.ts';
import type { InUseRefusal } from '#machines/in-use/events.ts';
import { ownField } from '#machines/kit/own-field.ts';
import type { Milliseconds } from '#machines/kit/units.ts';
import type { SettingValue } from '#machines/settings/events.ts';

import { part, type Part } from './kit/part.ts';
import type { Registry } from './kit/registry.ts';
import { until } from './kit/until.ts';

/** Longest wait for the mark, which is confirmed or refused within 3 s. */
const HOLD_MS: Milliseconds = 4000;
/** Longest wait for the part that shows it. */
const START_MS: Milliseconds = 2000;
/** Device, clients and port are gone a second after the camera is off. */
const STOP_MS: Milliseconds = 900;

export interface CameraSessionDeps {
  readonly registry: Registry;
  readonly capture: CaptureDriver;
  readonly stream: StreamDriver;
  readonly stills: StillDriver;
  /** TCP and RTP port of the stream; 0 takes a free one. */
  readonly port: number;
}

/** What the settings ask of the encoder; null while they are unknown. */
function requestOf(values: Readonly<Record<string, SettingValue>> | undefined): EncodeRequest | null {
  const { camera_resolution: name, camera_fps: fps, camera_kbps: kbps } = values ?? {};
  const height = typeof name === 'string' ? ownField<CameraHeight>(cameraHeights, name) : undefined;
  return height === undefined || typeof fps !== 'number' || typeof kbps !== 'number' ? null : { height, fps, kbps };
}

/** Whether there is a camera that may be opened; null before the first scan. */
function cameraIn(scan: CameraScan | null | undefined): ScannedCamera | null {
  if (scan === null || scan === undefined) return null;
  if (scan.found === 'none') return 'gone';
  return scan.refused === scan.count ? 'refused' : 'present';
}

/** Follows what the session depends on: the encoder's settings and the scan. */
const surroundings = (registry: Registry) =>
  fromDriver<EventObject, undefined, SurroundingsFact>(({ send, guard }) => {
    const ends = [
      registry.follow(
        'settings',
        (snapshot) => requestOf(snapshot?.context.values),
        guard((request) => {
          if (request !== null) send({ type: 'encoding.changed', request });
        }),
      ),
      registry.follow(
        'camera',
        (snapshot) => cameraIn(snapshot?.context.scan),
        guard((camera) => {
          if (camera !== null) send({ type: 'scan.changed', camera });
        }),
      ),
    ];
    return () => {
      for (const end of ends) end();
    };
  });

/**
 * Holds the mark by the part `in-use`. It is confirmed once that part shows it, and refused when it is lost, also by the
 * end of that part, which forgets who held it.
 */
const indication = (registry: Registry) =>
  fromDriver<IndicationCommand, undefined, IndicationFact>(({ send, onEvent, guard }) => {
    let unfollow: (() => void) | null = null;
    let holds = 0;
    const lost = (reason: InUseRefusal): void => {
      send({ type: 'indication.refused', reason });
    };
    const watch = (): void => {
      unfollow?.();
      unfollow = registry.follow(
        'in-use',
        (snapshot) => {
          const facts = snapshot?.context;
          return facts?.holders.includes('camera') === true
            ? { shown: facts.shown, refusal: facts.refusal }
            : { shown: 'none' as const, refusal: 'unconfirmed' as const };
        },
        guard(({ shown, refusal }) => {
          if (shown !== 'none') send({ type: 'indication.confirmed', by: shown });
          else if (refusal !== null) lost(refusal);
        }),
      );
    };
    const release = (): void => {
      holds += 1;
      unfollow?.();
      unfollow = null;
      registry.tell('in-use', { type: 'in-use.release', holder: 'camera' });
    };
    onEvent(async ({ type }) => {
      if (type === 'indication.release') {
        release();
        return;
      }
      holds += 1;
      const own = holds;
      // Both are turned on by the same setting, and this one may be there first.
      await until(registry, 'in-use', () => true, START_MS);
      if (own !== holds) return;
      const asked = await registry.ask('in-use', { type: 'in-use.hold', holder: 'camera' }, HOLD_MS);
      if (own !== holds) return;
      if (!asked.ok) lost('unconfirmed');
      else if (asked.value.status === 'refused') lost(asked.value.reason);
      else watch();
    });
    return release;
  });

/** The camera's session: off, nothing of it runs. */
export const cameraSessionSpec = ({ registry, capture, stream, stills, port }: CameraSessionDeps): Part =>
  part(
    cameraSession,
    cameraSessionMachine.provide({
      actors: {
        capture,
        stream,
        stills,
        indication: indication(registry),
        surroundings: surroundings(registry),
      },
    }),
    { input: () => ({ port }), stop: { event: { type: 'camera-session.stop' }, withinMs: STOP_MS } },
  );

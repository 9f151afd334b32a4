import type { EventObject } from 'xstate';

import { fromDriver } from '#drivers/kit/from-driver.ts';
import type { CameraScan } from '#machines/camera/events.ts';
import { STOP_WITHIN_MS } from '#machines/camera-session/delays.ts';
import {
  type CameraHeight,
  cameraHeights,
  type CaptureDriver,
  type EncodeRequest,
  type ScannedCamera,
  type StillDriver,
  type StreamDriver,
  type SurroundingsFact,
} from '#machines/camera-session/events.ts';
import { cameraSession } from '#machines/camera-session/index.ts';
import { cameraSessionMachine } from '#machines/camera-session/machine.ts';
import { ownField } from '#machines/kit/own-field.ts';
import type { SettingValue } from '#machines/settings/events.ts';

import { cameraIndication } from './indication.ts';
import { part, type Part } from './kit/part.ts';
import type { Registry } from './kit/registry.ts';

export interface CameraSessionDeps {
  readonly registry: Registry;
  readonly capture: CaptureDriver;
  readonly stream: StreamDriver;
  readonly stills: StillDriver;
  /** Resolves once every capture is closed, also those of a session that has crashed. */
  readonly closed: () => Promise<void>;
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

/** The camera's session: off, nothing of it runs. */
export const cameraSessionSpec = ({ registry, capture, stream, stills, closed, port }: CameraSessionDeps): Part =>
  part(
    cameraSession,
    cameraSessionMachine.provide({
      actors: {
        capture,
        stream,
        stills,
        indication: cameraIndication(registry, closed),
        surroundings: surroundings(registry),
      },
    }),
    { input: () => ({ port }), stop: { event: { type: 'camera-session.stop' }, withinMs: STOP_WITHIN_MS } },
  );

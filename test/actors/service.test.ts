import { describe, expect, it } from 'vitest';
import { createActor, type EventObject } from 'xstate';

import { cameraSpec } from '#actors/camera.ts';
import { readingsSpec } from '#actors/readings.ts';
import { serviceSpec } from '#actors/service.ts';
import type { ChildSpec } from '#actors/kit/spec.ts';
import { fromDriver } from '#drivers/kit/from-driver.ts';
import type { CameraDriverCommand } from '#machines/camera/events.ts';
import type { ReadingsDriverCommand } from '#machines/readings/events.ts';
import type { ServiceDriverCommand } from '#machines/service/events.ts';

function counted<TCommand extends EventObject>() {
  let starts = 0;
  return { starts: () => starts, driver: fromDriver<TCommand, undefined, never>(() => void (starts += 1)) };
}

const readings = counted<ReadingsDriverCommand>();
const camera = counted<CameraDriverCommand>();
const noCamera = counted<CameraDriverCommand>();
const service = counted<ServiceDriverCommand>();
const noService = counted<ServiceDriverCommand>();

/** Nothing to follow. */
const registry = { follow: () => () => {} };

describe("the observers' child specs", () => {
  it.each<[string, ChildSpec, () => number, number]>([
    ['readings', readingsSpec({ driver: readings.driver }), readings.starts, 1],
    ['camera', cameraSpec({ registry, driver: camera.driver }), camera.starts, 1],
    ['camera, declared absent', cameraSpec({ registry, driver: null }), noCamera.starts, 0],
    ['service', serviceSpec({ driver: service.driver, listening: true, heartbeatMs: null }), service.starts, 1],
    [
      'service, nobody listens',
      serviceSpec({ driver: noService.driver, listening: false, heartbeatMs: null }),
      noService.starts,
      0,
    ],
  ])('%s starts what it should, and stops', (_, spec, starts, wanted) => {
    const actor = createActor(spec.logic, { input: spec.input?.() }).start();
    expect(starts()).toBe(wanted);
    // What has no stop event is stopped at once.
    if (spec.stop) actor.send(spec.stop.event);
    else actor.stop();
    expect(actor.getSnapshot().status).toBe(spec.stop ? 'done' : 'stopped');
  });
});

import type { HomeAssistantEmitted, Reading } from '#machines/home-assistant/events.ts';

import { type FakeRegistry, fakeRegistry } from './registry.ts';

/** A registry whose only listener receives Home Assistant's read-outs from `read`, whatever it subscribes to. */
export function withReadOuts(contexts: Readonly<Record<string, unknown>>): {
  readonly registry: FakeRegistry;
  readonly read: (reading: Reading) => void;
} {
  const registry = fakeRegistry(contexts);
  let hear: (event: HomeAssistantEmitted) => void = () => {};
  const listen = (_: string, __: string, handler: (event: HomeAssistantEmitted) => void): (() => void) => {
    hear = handler;
    return () => {};
  };
  return {
    // The tests' listeners listen to this one event of this one actor.
    registry: { ...registry, listen: listen as FakeRegistry['listen'] },
    read: (reading) => hear({ type: 'home-assistant.read-out', reading }),
  };
}

import type { BaseFacts } from '#actors/kit/base-facts.ts';
import { followAll } from '#actors/kit/follow-all.ts';
import type { Registry } from '#actors/kit/registry.ts';

/**
 * Reports to the service manager that the agent answers: the listener listens, and the base that answers are made from
 * is up. Reports it again to a heartbeat that was restarted.
 */
export function followReadiness(registry: Registry, base: BaseFacts): readonly (() => void)[] {
  let listening = false;
  const report = (): void => {
    if (listening && base.known() !== null) registry.tell('service', { type: 'service.ready' });
  };
  return [
    base.onKnown(report),
    followAll(
      registry,
      { http: (seen) => (seen?.context.port ?? -1) > 0, service: (seen) => seen !== undefined },
      ({ http }) => {
        listening = http;
        report();
      },
    ),
  ];
}

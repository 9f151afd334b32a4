import type { Registry } from '#actors/kit/registry.ts';

const isListening = (port: number | undefined): boolean => (port ?? -1) > 0;

/** Reports to the service manager that pages are served; again to a heartbeat that was started anew. */
export const followReadiness = (registry: Registry): readonly (() => void)[] => [
  registry.follow(
    'http',
    (snapshot) => isListening(snapshot?.context.port),
    (listening) => {
      if (listening) registry.tell('service', { type: 'service.ready' });
    },
  ),
  registry.follow(
    'service',
    (snapshot) => snapshot !== undefined,
    (present) => {
      if (present && isListening(registry.read('http')?.context.port))
        registry.tell('service', { type: 'service.ready' });
    },
  ),
];

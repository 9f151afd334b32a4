import { fromDriver } from '#drivers/kit/from-driver.ts';
import type { Topic } from '#machines/home-assistant/events.ts';
import { wasUnavailable } from '#machines/home-assistant/lifecycle.ts';
import type { ChangeCommand, ChangeEvent } from '#machines/renderer/change-events.ts';

import { sameValue } from './kit/follow.ts';
import type { Registry } from './kit/registry.ts';

/** The name under which the renderer watches topics of Home Assistant. */
const WATCHER = 'renderer';

function topicsOf(dashboard: string | null): readonly Topic[] {
  if (dashboard === null) return [];
  return [{ kind: 'dashboards' }, ...(dashboard === '' ? [] : [{ kind: 'dashboard', path: dashboard } as const])];
}

/**
 * Reports to the renderer what makes a failed dashboard worth another try: Home Assistant started again, or a dashboard
 * was changed. What is read out first, and again after a reconnection, is no change.
 */
export const rendererChanges = (registry: Registry) =>
  fromDriver<ChangeCommand, undefined, ChangeEvent>(({ send, onEvent, guard }) => {
    let dashboard: string | null = null;
    let known = new Map<string, unknown>();
    let isUnavailable = false;
    const watch = (): void => {
      registry.tell('home-assistant', {
        type: 'home-assistant.watch',
        watcher: WATCHER,
        topics: topicsOf(dashboard),
      });
    };
    onEvent((command) => {
      if (command.dashboard === dashboard) return;
      dashboard = command.dashboard;
      known = new Map();
      watch();
    });
    const ends = [
      registry.follow(
        'home-assistant',
        (snapshot) => snapshot !== undefined,
        // After a restart it has forgotten its watchers.
        guard((isThere) => {
          if (isThere && dashboard !== null) watch();
        }),
      ),
      registry.listen(
        'home-assistant',
        'home-assistant.read-out',
        guard(({ reading }) => {
          if (dashboard === null) return;
          if (reading.kind !== 'dashboards' && !(reading.kind === 'dashboard' && reading.path === dashboard)) return;
          const before = known.get(reading.kind);
          known.set(reading.kind, reading);
          if (before !== undefined && !sameValue(before, reading))
            send({ type: 'changes.observed', trigger: 'changed' });
        }),
      ),
      registry.follow(
        'home-assistant',
        (snapshot) => snapshot?.context.lifecycle ?? null,
        guard((lifecycle) => {
          const isBack = isUnavailable && lifecycle !== null && !wasUnavailable(lifecycle);
          isUnavailable = wasUnavailable(lifecycle);
          if (isBack) send({ type: 'changes.observed', trigger: 'restarted' });
        }),
      ),
    ];
    return () => {
      for (const end of ends) end();
    };
  });

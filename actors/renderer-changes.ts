import { fromDriver } from '#drivers/kit/from-driver.ts';
import type { Topic } from '#machines/home-assistant/events.ts';
import { wasUnavailable } from '#machines/home-assistant/lifecycle.ts';
import type { ChangeCommand, ChangeEvent } from '#machines/renderer/change-events.ts';

import { sameValue } from './kit/follow.ts';
import type { Registry } from './kit/registry.ts';

/** The name under which the renderer watches topics of Home Assistant. */
const WATCHER = 'renderer';

function topicsOf({ dashboard, home }: Pick<ChangeCommand, 'dashboard' | 'home'>): readonly Topic[] {
  if (dashboard === null && home === null) return [];
  const own = dashboard === null || dashboard === '' ? [] : [{ kind: 'dashboard', path: dashboard } as const];
  return [{ kind: 'dashboards' }, ...own];
}

const nothing: Omit<ChangeCommand, 'type'> = { dashboard: null, home: null, origin: null };

/**
 * Reports to the renderer what makes a failed dashboard worth another try: Home Assistant started again, or a
 * dashboard was changed. What is read out first, and again after a reconnection, is no change. Also reports whether
 * Home Assistant has the home dashboard; while it starts, its list is not complete yet.
 */
export const rendererChanges = (registry: Registry) =>
  fromDriver<ChangeCommand, undefined, ChangeEvent>(({ send, onEvent, guard }) => {
    let wanted = nothing;
    let known = new Map<string, unknown>();
    let isUnavailable = false;
    let sections: readonly string[] | null = null;
    let isListed: boolean | null = null;
    const watch = (): void => {
      registry.tell('home-assistant', {
        type: 'home-assistant.watch',
        watcher: WATCHER,
        topics: topicsOf(wanted),
      });
    };
    const judgeHome = (): void => {
      if (wanted.home === null || sections === null || isUnavailable) return;
      const now = sections.includes(wanted.home);
      if (now === isListed) return;
      isListed = now;
      send({ type: 'home.listed', isListed: now });
    };
    onEvent(({ dashboard, home, origin }) => {
      const before = wanted;
      wanted = { dashboard, home, origin };
      if (before.dashboard !== dashboard) known = new Map();
      // The list of another Home Assistant.
      if (before.origin !== origin) sections = null;
      if (before.origin !== origin || before.home !== home) isListed = null;
      if (!sameValue(topicsOf(before), topicsOf(wanted))) watch();
      judgeHome();
    });
    const ends = [
      registry.follow(
        'home-assistant',
        (snapshot) => snapshot !== undefined,
        // After a restart it has forgotten its watchers.
        guard((isThere) => {
          if (isThere && topicsOf(wanted).length > 0) watch();
        }),
      ),
      registry.listen(
        'home-assistant',
        'home-assistant.read-out',
        guard(({ reading }) => {
          if (reading.kind === 'dashboards') {
            sections = reading.sections;
            judgeHome();
          }
          const { dashboard } = wanted;
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
          judgeHome();
        }),
      ),
    ];
    return () => {
      for (const end of ends) end();
    };
  });

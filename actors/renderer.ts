import type { EventObject } from 'xstate';

import { type DriverLogic, fromDriver } from '#drivers/kit/from-driver.ts';
import type {
  BrowserCommand,
  BrowserFact,
  StartInput,
  ReachabilityCommand,
  ReachabilityFact,
  RendererMode,
} from '#machines/renderer/events.ts';
import { renderer } from '#machines/renderer/index.ts';
import type { EntityFilterContext } from '#machines/entity-filter/events.ts';
import type { Credential, FollowedFact } from '#machines/renderer/facts.ts';
import { rendererMachine } from '#machines/renderer/machine.ts';
import { modeOf } from '#machines/renderer/options.ts';
import { verdictIn } from '#machines/renderer/ambient.ts';
import { isDark } from '#machines/renderer/target.ts';
import { desiredPageOf } from '#machines/renderer/desired-page.ts';
import type { SettingsContext } from '#machines/settings/events.ts';
import type { SignInContext } from '#machines/sign-in/events.ts';

import { followAll, lastKnown } from './kit/follow-all.ts';
import { sameValue } from './kit/follow.ts';
import { litOf } from './kit/lit-screens.ts';
import { part, type Part } from './kit/part.ts';
import type { Registry } from './kit/registry.ts';
import { rendererChanges } from './renderer-changes.ts';

export interface RendererDeps {
  readonly registry: Registry;
  /** The drivers of all browsers behind one logic. */
  readonly browser: DriverLogic<BrowserCommand, StartInput, BrowserFact>;
  /** Probes Home Assistant while it is unreachable. */
  readonly reachability: DriverLogic<ReachabilityCommand, undefined, ReachabilityFact>;
  /** The value of `--renderer`; null if it was not given. */
  readonly asked: RendererMode | null;
  /** True if the panel is the simulated one. */
  readonly simulated: boolean;
}

/**
 * Longest wait for the sign-in, in milliseconds. After it the browser is started anyway: the sign-in reports its state
 * once the store was read.
 */
const LEARN_MS = 10_000;

/** Assumed while the sign-in is silent: the offline page is shown, with the way to sign in. */
const unknown: Credential = { phase: 'needed', method: null, revision: 0 };

/** The sign-in as the renderer needs it; null until it is known whether there is a credential. */
const credentialOf = (facts: SignInContext | undefined): Credential | null =>
  facts === undefined || facts.revision === 0
    ? null
    : { phase: facts.phase, method: facts.method, revision: facts.revision };

type FilterChanged = Extract<FollowedFact, { readonly type: 'filter.changed' }>;

/** The filter as the renderer needs it; null while the filter does not know it, and then its last value counts. */
const filterOf = (facts: EntityFilterContext | undefined): Omit<FilterChanged, 'type'> | null =>
  facts === undefined || facts.noFilter === 'reading'
    ? null
    : {
        filter: facts.sets === null ? null : { sets: facts.sets, learn: facts.learning && facts.policy.auto_runtime },
        held: facts.holdSince !== null,
        known: facts.known,
      };

const sameFilter = (a: ReturnType<typeof filterOf>, b: ReturnType<typeof filterOf>): boolean =>
  a === null || b === null
    ? a === b
    : a.known === b.known &&
      a.held === b.held &&
      a.filter?.learn === b.filter?.learn &&
      a.filter?.sets === b.filter?.sets;

/** What the page depends on: settings, the listener's port and the sign-in; null while unknown. */
interface Followed {
  readonly settings: SettingsContext['values'] | null;
  readonly http: number | null;
  readonly 'sign-in': Credential | null;
}

/** Reports the settings, the listener, the sign-in, the screens and the light of the room to the renderer. */
const follower = ({ registry, asked, simulated }: RendererDeps) =>
  fromDriver<EventObject, undefined, FollowedFact>(({ send, guard }) => {
    // A panel without a sign-in part has nothing to wait for.
    const hasSignIn = registry.ids().includes('sign-in');
    let waits = hasSignIn;
    const hasFilter = registry.ids().includes('entity-filter');
    let filter: ReturnType<typeof filterOf> = null;
    const last = new Map<FollowedFact['type'], FollowedFact>();
    const sendNew = (fact: FollowedFact): void => {
      if (sameValue(last.get(fact.type), fact)) return;
      last.set(fact.type, fact);
      send(fact);
    };
    let followed: Followed = { settings: null, http: null, 'sign-in': null };
    const report = (): void => {
      const { settings, http: port, 'sign-in': signIn } = followed;
      const credential = signIn ?? (hasSignIn && !waits ? unknown : null);
      if (credential !== null) {
        waits = false;
        sendNew({ type: 'credential.changed', credential });
      }
      if (settings === null || port === null || waits) return;
      const mode = modeOf(asked, simulated);
      const desired = desiredPageOf(settings, { mode, simulated: simulated && asked === null, port });
      sendNew({ type: 'page.desired', desired });
    };
    // No dashboard is loaded before it is known which states it gets.
    if (hasFilter) send({ type: 'filter.changed', filter: null, held: true, known: null });
    // A parked part or a silent store must not leave the screen dark.
    const waiting = setTimeout(
      guard(() => {
        waits = false;
        report();
        if (hasFilter && filter === null) send({ type: 'filter.changed', filter: null, held: false, known: null });
      }),
      LEARN_MS,
    );
    const ends = [
      // While one of them restarts, its last known value counts: an open page need not be closed for that.
      followAll(
        registry,
        {
          settings: lastKnown((snapshot) =>
            snapshot === undefined || snapshot.context.revision === 0 ? null : snapshot.context.values,
          ),
          http: lastKnown((snapshot) =>
            snapshot === undefined || snapshot.context.port <= 0 ? null : snapshot.context.port,
          ),
          'sign-in': lastKnown((snapshot) => credentialOf(snapshot?.context)),
        },
        guard((facts) => {
          followed = facts;
          report();
        }),
      ),
      followAll(
        registry,
        { screen: litOf, screen_2: litOf, screen_3: litOf, screen_4: litOf },
        guard((lit) => sendNew({ type: 'screen.changed', dark: isDark(Object.values(lit)) })),
      ),
      registry.follow(
        'auto-brightness',
        lastKnown((snapshot) => verdictIn(snapshot ?? registry.off('auto-brightness'))),
        guard((verdict) =>
          sendNew({ type: 'room.changed', verdict: verdict === null || verdict === 'none' ? null : verdict }),
        ),
      ),
      registry.follow(
        'entity-filter',
        (snapshot) => filterOf(snapshot?.context),
        guard((now) => {
          // A filter that is restarting or parked holds nothing back.
          filter = now ?? (filter && { ...filter, held: false });
          if (filter !== null) send({ type: 'filter.changed', ...filter });
        }),
        sameFilter,
      ),
      // An attempt that was begun in this browser cannot be finished once its page is left.
      registry.listen(
        'renderer',
        'page.login-left',
        guard(() => void registry.tell('sign-in', { type: 'sign-in.leave' })),
      ),
      () => clearTimeout(waiting),
    ];
    return () => {
      for (const end of ends) end();
    };
  });

/** Shows the dashboard; the cleanup of its driver closes the browser. */
export const rendererSpec = (deps: RendererDeps): Part =>
  part(
    renderer,
    rendererMachine.provide({
      actors: {
        followed: follower(deps),
        reachability: deps.reachability,
        changes: rendererChanges(deps.registry),
        browser: deps.browser,
      },
    }),
  );

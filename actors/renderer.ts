import { type DriverLogic, fromDriver } from '#drivers/kit/from-driver.ts';
import type {
  BrowserCommand,
  BrowserFact,
  LaunchInput,
  ReachCommand,
  ReachFact,
  RendererMode,
} from '#machines/renderer/events.ts';
import { renderer } from '#machines/renderer/index.ts';
import type { Credential, FollowedFact } from '#machines/renderer/facts.ts';
import { rendererMachine } from '#machines/renderer/machine.ts';
import { modeOf } from '#machines/renderer/options.ts';
import { isDark } from '#machines/renderer/target.ts';
import { wishOf } from '#machines/renderer/wish.ts';
import { screenIds } from '#machines/screen/events.ts';
import type { SettingsContext } from '#machines/settings/events.ts';

import type { Registry } from './kit/registry.ts';
import { part, type Part } from './kit/part.ts';

/** What the renderer is wired to. */
export interface RendererDeps {
  readonly registry: Registry;
  /** The drivers of all programs behind one logic. */
  readonly browser: DriverLogic<BrowserCommand, LaunchInput, BrowserFact>;
  /** Looks at the platform while it is away. */
  readonly reach: DriverLogic<ReachCommand, undefined, ReachFact>;
  /** What `--renderer` said; null where it said nothing. */
  readonly asked: RendererMode | null;
  /** Whether the panel is the simulated one. */
  readonly simulated: boolean;
}

/**
 * Longest wait for the sign-in before a browser is started all the same, in milliseconds: it says where it stands once
 * the store was read.
 */
const LEARN_MS = 10_000;

/** What is taken for true while the sign-in cannot say: the calm page stands, with the way to sign in. */
const unknown: Credential = { phase: 'needed', method: null, revision: 0 };

/** Tells the renderer what it follows of the settings, the listener, the sign-in and the screen. */
const follower = ({ registry, asked, simulated }: RendererDeps) =>
  fromDriver<{ type: string }, undefined, FollowedFact>(({ send, guard }) => {
    let settings: SettingsContext | null = null;
    let port = -1;
    // A panel without a sign-in part has nothing to wait for.
    let knowsCredential = !registry.ids().includes('sign-in');
    const tell = (): void => {
      if (settings === null || port <= 0 || !knowsCredential) return;
      send({
        type: 'wish.changed',
        wish: wishOf(settings.values, { mode: modeOf(asked, simulated), simulated: simulated && asked === null, port }),
      });
    };
    const lit = new Map<string, boolean | null>();
    const takeCredential = (credential: Credential): void => {
      clearTimeout(waiting);
      send({ type: 'credential.changed', credential });
      if (knowsCredential) return;
      knowsCredential = true;
      tell();
    };
    // A part that is parked, or a store that stays silent, must not leave the screen dark.
    const waiting = setTimeout(
      guard(() => (knowsCredential ? undefined : takeCredential(unknown))),
      LEARN_MS,
    );
    const ends = [
      () => clearTimeout(waiting),
      registry.follow(
        'settings',
        (snapshot): SettingsContext | null => snapshot?.context ?? null,
        guard((next: SettingsContext | null) => {
          if (next === null || next.revision === 0) return;
          settings = next;
          tell();
        }),
        (a, b) => a?.revision === b?.revision,
      ),
      registry.follow(
        'http',
        (snapshot): number => snapshot?.context?.port ?? -1,
        guard((next: number) => {
          // A listener that restarts keeps its port; a page that is open need not be closed for that.
          if (next <= 0) return;
          port = next;
          tell();
        }),
      ),
      registry.follow(
        'sign-in',
        (snapshot): Credential | null => {
          // The sign-in's public facts, by its contract in machines/sign-in/events.ts.
          const facts = snapshot?.context;
          // At revision 0 it has not read yet whether there is a credential.
          return facts === undefined || facts.revision === 0
            ? null
            : { phase: facts.phase, method: facts.method, revision: facts.revision };
        },
        guard((credential: Credential | null) => {
          // While its part restarts, what was true last stands.
          if (credential !== null) takeCredential(credential);
        }),
      ),
      ...screenIds.map((id) =>
        registry.follow(
          id,
          (snapshot): boolean | null => snapshot?.context?.lit ?? null,
          guard((next: boolean | null) => {
            lit.set(id, next);
            send({ type: 'screen.changed', dark: isDark([...lit.values()]) });
          }),
        ),
      ),
    ];
    return () => {
      for (const end of ends) end();
    };
  });

/** The renderer: asked to stop, its browser is closed while the rest stops. */
export const rendererSpec = (deps: RendererDeps): Part =>
  part(
    renderer,
    rendererMachine.provide({ actors: { wishes: follower(deps), reach: deps.reach, browser: deps.browser } }),
    { stop: { event: { type: 'renderer.stop' }, withinMs: 20 } },
  );

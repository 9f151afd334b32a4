import type { Part } from '#actors/kit/part.ts';
import type { Registry } from '#actors/kit/registry.ts';
import type { Logger } from '#drivers/log/logger.ts';
import type { ServiceEnvironment } from '#drivers/service/environment.ts';
import type { ProfilesBoot, TrialTimes } from '#machines/profiles/asks.ts';
import type { RendererMode } from '#machines/renderer/events.ts';
import type { ResolvedProfile } from '#profiles/resolved.ts';
import type { App } from '#routes/app.ts';

/** What the parts are wired with. */
export interface PartDeps {
  readonly registry: Registry;
  readonly profile: ResolvedProfile;
  readonly log: Logger;
  readonly now: () => number;
  readonly folder: string;
  /** Path of the durable document. */
  readonly document: string;
  readonly port: number;
  readonly version: string;
  readonly build: string;
  readonly app: App;
  readonly service: ServiceEnvironment;
  /** File of the mDNS responder's program; null for an agent that is neither announced nor browses. */
  readonly responder: string | null;
  /** Whether the inspector was asked for. */
  readonly inspecting: boolean;
  /** Path of the script that lights dark screens once the agent is gone; null where there is none to run. */
  readonly relight: string | null;
  /** Whether this agent only looks at the machine, so that it must not touch a screen on its way out. */
  readonly looking: boolean;
  /** What `--renderer` said; null where it said nothing. */
  readonly renderer: RendererMode | null;
  /** What was decided about profiles before the tree starts. */
  readonly boot: ProfilesBoot;
  /** What `--profile` said; null where it said nothing. */
  readonly askedProfile: string | null;
  /** How long a start is watched; a running panel's own times when left out. */
  readonly trialTimes?: TrialTimes;
}

/** The parts of one group, with their concrete drivers; what the profile declares absent is left out. */
export type Wiring = (deps: PartDeps) => readonly Part[];

/** The part of what is there; nothing where it is not. */
export const present = <T>(there: T | null | undefined, make: (it: T) => Part): readonly Part[] =>
  there === null || there === undefined ? [] : [make(there)];

import type { Admission } from '#actors/kit/admission.ts';
import type { ActorId } from '#machines/actors.ts';
import type { Part } from '#actors/kit/part.ts';
import type { Registry } from '#actors/kit/registry.ts';
import type { CompanionJoint } from '#drivers/companion/exchange.ts';
import type { HandlerDeps } from '#drivers/http/handler.ts';
import type { LogStore } from '#drivers/log/log-store.ts';
import type { Logger } from '#drivers/log/logger.ts';
import type { QuestionTab } from '#drivers/renderer/question-tab.ts';
import type { UseMark } from '#drivers/renderer/use-mark.ts';
import type { UseOverlay } from '#drivers/renderer/use-overlay.ts';
import type { ServiceEnvironment } from '#drivers/service/environment.ts';
import type { TurnChannel } from '#drivers/voice/turn-channel.ts';
import type { RestoreFailure } from '#machines/backup/events.ts';
import type { ProfilesBoot } from '#machines/profile-catalog/boot.ts';
import type { TrialTimes } from '#machines/profile-catalog/health.ts';
import type { TreeNode } from '#machines/kit/status.ts';
import type { RendererMode } from '#machines/renderer/events.ts';
import type { ResolvedProfile } from '#profiles/resolved.ts';
import type { LazyApp } from '../lazy-app.ts';
import type { SwitchedParts } from './switched.ts';

/** What the parts are wired with. */
export interface PartDeps {
  readonly registry: Registry;
  /** Decides if what is protected may proceed. */
  readonly admission: Admission;
  /** Joins the browser and the part that asks in it. */
  readonly questions: QuestionTab;
  /** Joins the browser and the part that shows what is in use. */
  readonly mark: UseMark;
  /** Joins the drivers of one turn of voice. */
  readonly channel: TurnChannel;
  /** Joins the browser and the part that listens to a person. */
  readonly overlay: UseOverlay;
  /** Joins the listener, the connections of the integration in Home Assistant, and the rows that they get. */
  readonly companion: CompanionJoint;
  /** The supervision tree as of now. */
  readonly tree: () => TreeNode;
  /** True if the agent was started in a root shell, where commands need no `sudo`. */
  readonly rootShell: boolean;
  /** The parts that settings turn on and off. */
  readonly switched: SwitchedParts;
  /** The active profile with the drivers of its slots. */
  readonly profile: ResolvedProfile;
  readonly log: Logger;
  readonly logStore: LogStore;
  /** Milliseconds since the Unix epoch. */
  readonly now: () => number;
  readonly folder: string;
  /** Path of the durable document. */
  readonly document: string;
  /** TCP port of the pages; 0 takes a free one. */
  readonly port: number;
  /** TCP port of the camera's stream; 0 takes a free one. */
  readonly streamPort: number;
  /** Version of this agent (semantic versioning). */
  readonly version: string;
  /** Eight hex digits that change with each build. */
  readonly build: string;
  /** Answers every request that is admitted. */
  readonly app: LazyApp;
  /** Answers that need no routes. */
  readonly early: NonNullable<HandlerDeps['early']>;
  /** What the service manager passed to this process. */
  readonly service: ServiceEnvironment;
  /** File of the mDNS responder's program; null for an agent that neither announces nor browses. */
  readonly responder: string | null;
  /** True if the inspector was asked for. */
  readonly inspecting: boolean;
  /** Path of the script that lights dark screens once the agent is gone; null if there is none. */
  readonly relight: string | null;
  /** True if this agent only probes the machine: it must not touch a screen when it stops. */
  readonly readOnly: boolean;
  /** The value of `--renderer`; null if it was not given. */
  readonly renderer: RendererMode | null;
  /** What was decided about profiles before the tree starts. */
  readonly boot: ProfilesBoot;
  /** Options whose files others can read. */
  readonly openFiles: readonly string[];
  /** Settings that the options of the start save again after each start. */
  readonly comesBack: readonly string[];
  /** Code of why the disk refused the ordered reset; null if it did not. */
  readonly resetFailure: string | null;
  /** Why the ordered restore was not carried out at this start; null if it was, or if there was none. */
  readonly restoreFailure: RestoreFailure | null;
  /** Root of the file system in which this machine identifies itself. */
  readonly machineRoot: string;
  /** The value of `--profile`; null if it was not given. */
  readonly askedProfile: string | null;
  /** The value of `--default-profile`; null if it was not given. */
  readonly defaultProfile: string | null;
  /** How long a start is watched; if absent, the times of a real panel. */
  readonly trialTimes?: TrialTimes;
}

/** A part whose actor and drivers are loaded only where it runs. */
export interface LaterPart {
  readonly id: ActorId;
  readonly load: () => Promise<Part>;
  /** It runs whatever the settings say. */
  readonly always?: boolean;
}

/** The parts of one group, with their concrete drivers, without those that the profile declares absent. */
export type Wiring = (deps: PartDeps) => readonly (Part | LaterPart)[];

/** The parts of a group that starts with the agent. */
export type FirstWiring = (deps: PartDeps) => readonly Part[];

/**
 * The part for something that may be absent, in a separate chunk; if it is absent there is no part, and nothing is
 * loaded.
 */
export const present = <T>(
  id: ActorId,
  there: T | null | undefined,
  load: (it: T) => Promise<Part>,
): readonly LaterPart[] => (there === null || there === undefined ? [] : [{ id, load: () => load(there) }]);

/** The same for what is in slots, by the ids that the drivers have there. */
export const presentIn = <T extends { readonly id: ActorId }>(
  slots: readonly (T | null)[],
  load: (it: T) => Promise<Part>,
): readonly LaterPart[] => slots.flatMap((slot) => (slot === null ? [] : present(slot.id, slot, load)));

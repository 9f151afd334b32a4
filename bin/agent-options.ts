import type { TreeNode } from '#machines/kit/status.ts';
import type { WorkerOutcome } from '#machines/kit/outcome.ts';
import type { ProfilesBoot } from '#machines/profile-catalog/boot.ts';
import type { TrialTimes } from '#machines/profile-catalog/health.ts';
import type { RendererMode } from '#machines/renderer/events.ts';
import type { StatusDocument } from '#machines/status.ts';
import type { Registry } from '#actors/kit/registry.ts';
import type { LogStore } from '#drivers/log/log-store.ts';
import type { Logger } from '#drivers/log/logger.ts';
import type { ResolvedProfile } from '#profiles/resolved.ts';
import type { RouteDeps } from '#routes/kit/deps.ts';
import type { HandedOver } from './credentials.ts';
import type { RestartReason } from './follow-restarts.ts';

/** What an agent is built from. */
export interface AgentOptions {
  /** The data folder, locked for this process. */
  readonly folder: string;
  /** TCP port; 0 takes a free one. */
  readonly port: number;
  readonly profile: ResolvedProfile;
  readonly log: Logger;
  /** Keeps the log in the data folder; one that nobody closes where it is left out. */
  readonly logStore?: LogStore;
  readonly version: string;
  readonly build: string;
  readonly assets: RouteDeps['assets'];
  readonly bundles: RouteDeps['bundles'];
  /** File of the mDNS responder's program; null for an agent that is neither announced nor browses. */
  readonly responder: string | null;
  /** Whether the inspector is there (`--inspect`). */
  readonly inspect?: boolean;
  /** Whether each answer is parsed by the schema its route declares, and one that does not fit fails; for tests. */
  readonly verifyAnswers?: boolean;
  /** Path of the script that lights dark screens once the agent is gone. */
  readonly relight?: string;
  /** Credentials handed over in files, by setting; saved once the settings are up. */
  readonly credentials: Readonly<Record<string, string>>;
  /** Plain settings that the command line gives, by setting. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Options whose files others can read. */
  readonly openFiles?: readonly string[];
  /** Whether commands that it shows are for the shell of root, without `sudo`. */
  readonly rootShell?: boolean;
  /** Called once what was given is in the settings, or was kept out of them. */
  readonly onProvisioned?: () => void;
  /** Called once somebody is signed in to Home Assistant, so that a password is of no use any more. */
  readonly onSignedIn?: () => void;
  /** Who signs in to Home Assistant where nobody is; asked once, when the sign-in runs. Left out, nobody does. */
  readonly takeLogin?: HandedOver['takeLogin'];
  /** Only probe the machine: no listener, no link, nothing that lasts. */
  readonly readOnly?: boolean;
  /** What `--renderer` said, null where it said nothing; left out, no browser is started. */
  readonly renderer?: RendererMode | null;
  /**
   * What was decided about profiles before this; left out, the given profile stands as if the command line had named
   * it.
   */
  readonly boot?: ProfilesBoot;
  /** What `--profile` said; null where it said nothing. */
  readonly askedProfile?: string | null;
  /** What `--default-profile` said; null where it said nothing. */
  readonly defaultProfile?: string | null;
  readonly trialTimes?: TrialTimes;
  /** Settings that the options of this start save, and that those of the next one save again. */
  readonly comesBack?: readonly string[];
  /** Code of why the disk refused, at this start, the reset that was ordered; null where it did not. */
  readonly resetFailure?: string | null;
  /** Called once when the agent has to start again: with another profile, or to carry out a reset. */
  readonly onRestartDue?: (reason: RestartReason) => void;
  /** Called once when a trial has reached its health point, or there was none. */
  readonly onTrialOver?: () => void;
}

/** A built agent; `start` brings it to life. */
export interface Agent {
  readonly registry: Registry;
  readonly start: () => void;
  /** Resolves when every part was started for the first time, or it stops; rejects where pages cannot be loaded. */
  readonly whole: () => Promise<void>;
  /** The supervision tree as it is now. */
  readonly tree: () => TreeNode;
  readonly status: () => Promise<StatusDocument>;
  /** Closes admissions, stops every part in order and resolves when the tree has ended. */
  readonly shutdown: () => Promise<void>;
  /** How the tree ended, by order or because the root gave up. */
  readonly ended: Promise<WorkerOutcome>;
  /** The kit's test hook: the worker of that id dies at once, as by Erlang's exit(kill). */
  readonly kill: (id: string) => void;
}

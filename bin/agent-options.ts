import type { TreeNode } from '#machines/kit/status.ts';
import type { WorkerOutcome } from '#machines/kit/outcome.ts';
import type { RestoreFailure } from '#machines/backup/events.ts';
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
  /** TCP port of the camera's stream; 0 takes a free one, and if absent it is the one of the contract. */
  readonly streamPort?: number;
  readonly profile: ResolvedProfile;
  readonly log: Logger;
  /** Keeps the log in the data folder; if absent, one is created that is never closed. */
  readonly logStore?: LogStore;
  readonly version: string;
  readonly build: string;
  readonly assets: RouteDeps['assets'];
  readonly bundles: RouteDeps['bundles'];
  /** File of the mDNS responder's program; null for an agent that neither announces nor browses. */
  readonly responder: string | null;
  /** True if the inspector is available (`--inspect`). */
  readonly inspect?: boolean;
  /**
   * True if each answer is parsed by the schema that its route declares, and one that does not match fails; for tests.
   */
  readonly verifyAnswers?: boolean;
  /** Path of the script that lights dark screens once the agent is gone. */
  readonly relight?: string;
  /** Credentials read from files, by setting; saved once the settings are up. */
  readonly credentials: Readonly<Record<string, string>>;
  /** Plain settings from the command line, by setting. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Options whose files others can read. */
  readonly openFiles?: readonly string[];
  /** True if the commands that it shows are for a root shell, without `sudo`. */
  readonly rootShell?: boolean;
  /** Called once the given values are in the settings, or were kept out of them. */
  readonly onProvisioned?: () => void;
  /** Called once a person is signed in to Home Assistant, so that a password is no longer needed. */
  readonly onSignedIn?: () => void;
  /**
   * The user and password to sign in to Home Assistant if no one is signed in; called once, when the sign-in runs. If
   * absent, there is no such user.
   */
  readonly takeLogin?: HandedOver['takeLogin'];
  /** Only probe the machine: no listener, no links, nothing that lasts. */
  readonly readOnly?: boolean;
  /** The value of `--renderer`, null if it was not given; if absent, no browser is started. */
  readonly renderer?: RendererMode | null;
  /** What was decided about profiles beforehand; if absent, the given profile counts as named on the command line. */
  readonly boot?: ProfilesBoot;
  /** The value of `--profile`; null if it was not given. */
  readonly askedProfile?: string | null;
  /** The value of `--default-profile`; null if it was not given. */
  readonly defaultProfile?: string | null;
  readonly trialTimes?: TrialTimes;
  /** Root of the file system in which this machine identifies itself; `/` if absent. */
  readonly machineRoot?: string;
  /** Settings that the options of this start save, and that those of the next one save again. */
  readonly comesBack?: readonly string[];
  /** Code of why the disk refused the ordered reset at this start; null if it did not. */
  readonly resetFailure?: string | null;
  /** Why the ordered restore was not carried out at this start; null or absent if it was, or if there was none. */
  readonly restoreFailure?: RestoreFailure | null;
  /** Called once when the agent has to restart: with another profile, or to carry out a reset or a restore. */
  readonly onRestartDue?: (reason: RestartReason) => void;
  /** Called once when a trial has reached its health point, or there was none. */
  readonly onTrialOver?: () => void;
}

/** A built agent, which `start` runs. */
export interface Agent {
  readonly registry: Registry;
  readonly start: () => void;
  /** Resolves when every part was started for the first time, or the agent stops; rejects if pages cannot be loaded. */
  readonly whole: () => Promise<void>;
  /** The supervision tree as of now. */
  readonly tree: () => TreeNode;
  readonly status: () => Promise<StatusDocument>;
  /** Closes admissions, stops every part in order and resolves when the tree has ended. */
  readonly shutdown: () => Promise<void>;
  /** How the tree ended, by order or because the root gave up. */
  readonly ended: Promise<WorkerOutcome>;
  /** A hook for tests: the worker of that id dies at once, as by Erlang's exit(kill). */
  readonly kill: (id: string) => void;
}

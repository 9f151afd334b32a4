import type { Logger } from '#drivers/log/logger.ts';
import type { Agent } from './agent-options.ts';
import type { RestartReason } from './follow-restarts.ts';

/** Everything stops within this time or is killed (ARCHITECTURE.md), in milliseconds. */
export const shutdownMs = 5_000;

/** Exit status that asks for a restart: EX_TEMPFAIL of sysexits.h, which the unit and `bin/run` obey. */
const startAgain = 75;

/**
 * How this process ends when something fails: with 1, and during a trial with the status that asks for a restart, so
 * that it falls back.
 */
export class FailureStatus {
  #trial = false;
  /** The exit status of a failure now. */
  get now(): number {
    return this.#trial ? startAgain : 1;
  }
  /** A trial begins or is over. */
  duringTrial(trial: boolean): void {
    this.#trial = trial;
  }
}

/** Ends the process in order at the first signal, and at once at the second. */
export function obeySignals(agent: Agent, log: Logger): void {
  let asked = false;
  const stop = (signal: NodeJS.Signals): void => {
    if (asked) process.exit(130);
    asked = true;
    log.info('The agent was asked to stop.', { signal });
    setTimeout(() => process.exit(1), shutdownMs).unref();
    void agent.shutdown().then(() => process.exit(0));
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}

const restartWords: Readonly<Record<RestartReason, string>> = {
  profile: 'The agent restarts to use another profile.',
  reset: 'The agent restarts to carry out a reset.',
  restore: 'The agent restarts to carry out a restore.',
};

/** Stops in order and asks for a restart. */
export function restart(agent: Agent, log: Logger, reason: RestartReason): void {
  log.info(restartWords[reason]);
  setTimeout(() => process.exit(startAgain), shutdownMs).unref();
  void agent.shutdown().then(() => process.exit(startAgain));
}

/** An uncaught failure is a bug: it is logged by its code and ends the process, and the service manager restarts it. */
export function dieOnBugs(log: Logger, status: FailureStatus): void {
  const die = (failure: unknown): void => {
    log.fatal('The agent crashed: nothing caught this failure.', { failure });
    process.exit(status.now);
  };
  process.on('uncaughtException', die);
  process.on('unhandledRejection', die);
}

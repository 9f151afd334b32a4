import type { MqttPhase } from '#machines/mqtt/events.ts';
import { phaseOf } from '#machines/mqtt/phase.ts';
import { history as savedSettings } from '#machines/settings/history.ts';
import type { PasswordState } from '#machines/sign-in/password.ts';
import { followHistory } from '#actors/kit/follow-history.ts';
import type { Registry } from '#actors/kit/registry.ts';
import type { Logger } from '#drivers/log/logger.ts';
import { brokerTroubles, brokerWords, passwordWords, savedWords } from './log-words.ts';
import { logRenderer } from './renderer-log.ts';

/** Keeps the log at the level of the settings. */
const followLevel = (registry: Registry, log: Logger): (() => void) =>
  registry.follow(
    'settings',
    (snapshot) => snapshot?.context.values['log_level'],
    (level) => {
      if (level === 'trace' || level === 'debug' || level === 'info' || level === 'warn' || level === 'error')
        log.setLevel(level);
    },
  );

/**
 * Logs the state of the link to the broker: a phase and a code, never an address. At the start, before the settings say
 * if there is a broker, its being off is not logged.
 */
function logBroker(registry: Registry, log: Logger): () => void {
  let before: MqttPhase = 'off';
  return registry.follow(
    'mqtt',
    (snapshot) => (snapshot === undefined ? null : { phase: phaseOf(snapshot), failure: snapshot.context.failure }),
    (link) => {
      if (link === null) return;
      if (link.phase !== 'off' || before !== 'off')
        (brokerTroubles.has(link.phase) ? log.warn : log.info)(brokerWords[link.phase], link);
      before = link.phase;
    },
  );
}

/** States in which a password is held. */
const passwordUnderWay: readonly PasswordState[] = ['held', 'trying', 'unreachable'];

/** Logs the state of a password that was supplied: never the password or whose it is. */
function logPassword(registry: Registry, log: Logger): () => void {
  let before: PasswordState = 'none';
  let isLost = false;
  return registry.follow(
    'sign-in',
    (snapshot) => snapshot?.context.password ?? null,
    (password) => {
      // The part's password is lost with the part.
      if (password === null) isLost ||= passwordUnderWay.some((state) => state === before);
      if (password === null || password === before) return;
      before = password;
      if (password === 'none' && isLost) {
        isLost = false;
        log.warn('The password you supplied was lost when its part failed. It is read again at the next start.');
        return;
      }
      if (password === 'none') log.info(passwordWords.none);
      else if (password === 'held' || password === 'trying' || password === 'unreachable')
        log.info(passwordWords[password], { state: password });
      else log.error('The panel was not signed in with the password you supplied.', { why: password });
    },
  );
}

/** Logs once that the log itself cannot be saved to the disk, and again only after it could be. */
function logKeeping(registry: Registry, log: Logger): () => void {
  let isReported = false;
  return registry.follow(
    'log-files',
    (snapshot) => snapshot?.context.failure ?? null,
    (code) => {
      if (code !== null && !isReported)
        log.warn('The log cannot be saved to the disk. New lines are in memory only.', { code });
      isReported = code !== null;
    },
  );
}

/** Logs which settings were saved, as the history names them, whichever page or program changed them. */
const logSaves = (registry: Registry, log: Logger): readonly (() => void)[] =>
  savedSettings
    .filter(({ kind }) => kind === 'configuration')
    .map((row) => followHistory(registry, row, Date.now, ({ code }) => log.info(savedWords(code))));

/** Follows what is logged of the parts' facts, and the log level. */
export const followForLog = (registry: Registry, log: Logger): readonly (() => void)[] => [
  followLevel(registry, log),
  logBroker(registry, log),
  logPassword(registry, log),
  logKeeping(registry, log),
  ...logSaves(registry, log),
  ...logRenderer(registry, log),
];

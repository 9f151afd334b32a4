import type { MqttPhase } from '#machines/mqtt/events.ts';
import { phaseOf } from '#machines/mqtt/phase.ts';
import { history as savedSettings } from '#machines/settings/history.ts';
import type { PasswordState } from '#machines/sign-in/password.ts';
import { followHistory } from '#actors/kit/follow-history.ts';
import type { Registry } from '#actors/kit/registry.ts';
import type { Logger } from '#drivers/log/logger.ts';
import { brokerTroubles, brokerWords, passwordWords, savedWords } from './log-words.ts';
import { logRenderer } from './renderer-log.ts';

/** Keeps the level of the log at the one of the settings. */
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
 * Logs what becomes of the link to the broker: a phase and a code, never an address. That it is off is no news at the
 * start, before the settings have said whether there is a broker.
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

/** Logs what becomes of a password that was handed over: where it stands, never what it is or whose. */
function logPassword(registry: Registry, log: Logger): () => void {
  let before: PasswordState = 'none';
  let isLost = false;
  return registry.follow(
    'sign-in',
    (snapshot) => snapshot?.context.password ?? null,
    (password) => {
      // With the part goes the password that it held.
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

/** Logs once that the log itself cannot be kept on the disk; that is news again only after it could. */
function logKeeping(registry: Registry, log: Logger): () => void {
  let isTold = false;
  return registry.follow(
    'log-files',
    (snapshot) => snapshot?.context.failure ?? null,
    (code) => {
      if (code !== null && !isTold)
        log.warn('The log cannot be kept on the disk. Newer lines are in memory only.', { code });
      isTold = code !== null;
    },
  );
}

/** Logs which settings were saved, as the history names them, from whatever page or program they were changed. */
const logSaves = (registry: Registry, log: Logger): readonly (() => void)[] =>
  savedSettings
    .filter(({ kind }) => kind === 'configuration')
    .map((row) => followHistory(registry, row, Date.now, ({ code }) => log.info(savedWords(code))));

/** What of the parts' facts is logged, and how much of everything. */
export const followForLog = (registry: Registry, log: Logger): readonly (() => void)[] => [
  followLevel(registry, log),
  logBroker(registry, log),
  logPassword(registry, log),
  logKeeping(registry, log),
  ...logSaves(registry, log),
  ...logRenderer(registry, log),
];

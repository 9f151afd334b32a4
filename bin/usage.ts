import { type Topic, topics } from './help-texts.ts';

/** The port of the contract ("Limits"). */
export const defaultPort = 8888;

/** TCP port of the camera's stream (contract, "Limits"). */
export const defaultStreamPort = 8554;

/** What a command line asks for that is answered with a text alone. */
export type PlainText = { readonly verb: 'version' } | { readonly verb: 'help'; readonly topic: Topic | 'general' };

/** True for a command that has options. */
export const isTopic = (word: string | undefined): word is Topic => topics.some((topic) => topic === word);

/** True for the option that asks for help. */
export const isHelp = (word: string | undefined): boolean => word === '--help' || word === '-h';

/**
 * The text that a command line asks for; null if it asks for more, or for a text that there is not. Recognised here, so
 * that nothing else is loaded for it.
 */
export function plainText([verb, ...rest]: readonly string[]): PlainText | null {
  if (verb === 'version' || verb === '--version') return { verb: 'version' };
  if (isTopic(verb)) return rest.some(isHelp) ? { verb: 'help', topic: verb } : null;
  if (verb !== undefined && verb !== 'help' && !isHelp(verb)) return null;
  const [topic, ...more] = rest.filter((word) => !isHelp(word));
  if (more.length > 0) return null;
  if (isTopic(topic)) return { verb: 'help', topic };
  return topic === undefined || topic === 'help' || topic === 'version' ? { verb: 'help', topic: 'general' } : null;
}

/** Printed before the reason why a command line is wrong. */
export const shortUsage = (verb: string | undefined): string =>
  isTopic(verb)
    ? `Usage: sconce ${verb} [OPTIONS]; for its options: sconce help ${verb}\n`
    : 'Usage: sconce COMMAND [OPTIONS]; for all commands: sconce help\n';

import { createInterface } from 'node:readline/promises';
import { setTimeout as pause } from 'node:timers/promises';

import { type AskedInTerminal, callTerminalQuestion } from '#drivers/companion/call-terminal.ts';
import { fieldsOf } from '#drivers/kit/json-fields.ts';
import type { Milliseconds } from '#machines/kit/units.ts';
import { askJson, fails, type MeantPanel, notPermitted, pairedOf, portOf, type Said, says } from './companion-panel.ts';
import { plainLines } from './report.ts';
import { untilInterrupted } from './until-interrupted.ts';

/** The terminal with its person. */
export interface Person {
  readonly say: (...lines: readonly string[]) => void;
  /** True for a yes, false for anything else, null once the signal is aborted. */
  readonly agrees: (question: string, signal: AbortSignal) => Promise<boolean | null>;
}

/** Pause between two looks for a pairing: the panel waits some seconds for one. */
const LOOK_MS: Milliseconds = 500;

const QUESTION = 'Approve only once Home Assistant has accepted these digits. Approve? [y/N] ';

const aborted = (signal: AbortSignal): Promise<null> =>
  new Promise((resolve) => {
    if (signal.aborted) return resolve(null);
    signal.addEventListener('abort', () => resolve(null), { once: true });
  });

/** True if this panel asks on a screen. */
async function hasScreen(port: number): Promise<boolean | Said> {
  const asked = await askJson(port, { method: 'GET', path: 'status' });
  if (!('value' in asked)) return asked;
  const { place, place_reason: reason } = fieldsOf(fieldsOf(asked.value)['security']);
  return place === 'screen' || place === 'simulator' || reason === 'starting';
}

/** The next pairing that is asked about here; null once the signal is aborted. */
async function nextQuestion(meant: MeantPanel, signal: AbortSignal): Promise<AskedInTerminal | Said | null> {
  while (!signal.aborted) {
    // oxlint-disable-next-line no-await-in-loop -- one look after another
    const called = await callTerminalQuestion(meant.folder);
    if (called === 'not-permitted') return notPermitted(meant);
    if (called === 'path-too-long')
      return fails('The path of the data folder is too long for a socket. Use a shorter one.');
    if (called !== null) return called;
    // oxlint-disable-next-line no-await-in-loop -- the pause between two looks
    await pause(LOOK_MS, null, { signal }).catch(() => null);
  }
  return null;
}

/** Waits for the end of the pairing under way, and says what it was. */
async function outcomeOf(port: number, before: ReadonlySet<string>, signal: AbortSignal): Promise<Said | null> {
  while (!signal.aborted) {
    // oxlint-disable-next-line no-await-in-loop -- one look after another
    const paired = await pairedOf(port);
    if (!('value' in paired)) return paired;
    const { clients, pairing } = paired.value;
    const client = clients.find(({ key_id: id }) => !before.has(id));
    if (client !== undefined) return says(`Paired with ${client.name}.`);
    if (pairing.state === 'none')
      return fails('It was not paired: Home Assistant did not accept the digits. Start again there.');
    // oxlint-disable-next-line no-await-in-loop -- the pause between two looks
    await pause(LOOK_MS, null, { signal }).catch(() => null);
  }
  return null;
}

/** Waits for a Home Assistant that wants to be paired, and asks the person; until the signal is aborted. */
export async function pairWith(meant: MeantPanel, { say, agrees }: Person, signal: AbortSignal): Promise<Said> {
  const port = await portOf(meant);
  if (typeof port !== 'number') return port;
  const screen = await hasScreen(port);
  if (typeof screen !== 'boolean') return screen;
  if (screen)
    return fails('This panel has a screen: it shows the digits there, and asks there. Start in Home Assistant.');
  say('Add the integration Sconce in Home Assistant, with the address of this panel. Waiting; Ctrl+C ends it.');
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop -- one pairing after another
    const asked = await nextQuestion(meant, signal);
    if (asked === null) return says('Nothing was changed.');
    if ('status' in asked) return asked;
    const { digits, name } = asked.question;
    // oxlint-disable-next-line no-await-in-loop -- as above
    const known = await pairedOf(port);
    if (!('value' in known)) return known;
    say('', `${name} wants to be paired. Enter these digits there:`, '', `    ${digits}`, '');
    const over = AbortSignal.any([signal, asked.gone]);
    // oxlint-disable-next-line no-await-in-loop -- as above
    const yes = await Promise.race([agrees(QUESTION, over), aborted(over)]);
    if (yes === null) {
      say('', 'Home Assistant has ended it. Waiting for the next one; Ctrl+C ends it.');
      continue;
    }
    // oxlint-disable-next-line no-await-in-loop -- as above
    const taken = await asked.answer(yes ? 'approve' : 'deny');
    if (!yes) return fails('Denied. Nothing was changed.');
    if (!taken) return fails('Home Assistant has ended it before the answer. Start again there.');
    say('Approved. Waiting for Home Assistant.');
    const before = new Set(known.value.clients.map(({ key_id: id }) => id));
    // oxlint-disable-next-line no-await-in-loop -- as above
    return (await outcomeOf(port, before, signal)) ?? says('Nothing was changed.');
  }
}

/** The person at this terminal. */
const person: Person = {
  say: (...lines) => void process.stdout.write(`${lines.flatMap((line) => plainLines(line)).join('\n')}\n`),
  agrees: async (question, signal) => {
    const lines = createInterface({ input: process.stdin, output: process.stdout });
    try {
      // Ctrl+D ends the question without an answer.
      const left = new Promise<string>((resolve) => lines.once('close', () => resolve('')));
      const asked = lines.question(question, { signal }).catch(() => '');
      const text = await Promise.race([asked, left]);
      return signal.aborted ? null : /^y(?:es)?$/i.test(text.trim());
    } finally {
      lines.close();
    }
  },
};

/** `sconce companion pair` in this terminal. */
export async function pairHere(meant: MeantPanel): Promise<Said> {
  if (!process.stdin.isTTY) return fails('A person has to compare digits. Run it in a terminal, not from a script.');
  return untilInterrupted((signal) => pairWith(meant, person, signal));
}

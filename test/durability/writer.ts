import { createActor } from 'xstate';
import { storeSpec } from '#actors/store.ts';
import { FORMAT_STEPS, WRITE_STEPS } from '#drivers/store/adapter.ts';
import { storedSections } from '#drivers/store/stored-sections.ts';
import { nextFormats } from '#test/fakes/next-formats.ts';

/**
 * A process that only saves: it prints `loaded <n>` once and `acknowledged <n>` after each commit that was answered
 * with success, `refused <n> <reason>` otherwise. Arguments: folder, number of commits (0: endless), step to die at or
 * "-", bytes of ballast in each commit, and "move" to die in what a start moves, or "next" to write a made-up next
 * format and die in its first write. It is killed from outside, or kills itself at a step of a write.
 */
const [folder = '', count = '0', dieAt = '-', ballast = '2000', when = 'later'] = process.argv.slice(2);
const step = [...WRITE_STEPS, ...FORMAT_STEPS].find((name) => name === dieAt);
const isNext = when === 'next';
/** The made-up next format has another name for the settings. */
const section = isNext ? 'preferences' : 'settings';

let saved = 0;
const sections = storedSections({
  folder,
  apart: ['panel'],
  ...(isNext && { formats: nextFormats }),
  onStep: (reached) => {
    // The first write makes a document, so that there is something to lose in the second.
    if (reached === step && (saved > 0 || when !== 'later')) process.kill(process.pid, 'SIGKILL');
  },
});

const store = createActor(storeSpec({ folder, sections }).logic);
const say = (line: string): void => void process.stdout.write(`${line}\n`);

let number = 0;
function save(): void {
  number += 1;
  store.send({
    type: 'store.commit-all',
    requestId: `commit-${number}`,
    sections: { [section]: { number, ballast: 'x'.repeat(Number(ballast)) }, setup: { number } },
  });
}

store.on('reply', (reply) => {
  if (reply.requestId === 'first') {
    const value: unknown = 'value' in reply.outcome ? reply.outcome.value : null;
    number =
      typeof value === 'object' && value !== null && 'number' in value && typeof value.number === 'number'
        ? value.number
        : 0;
    say(`loaded ${number} ${store.getSnapshot().context.loadedFrom}`);
    save();
    return;
  }
  const outcome = reply.outcome;
  if (outcome.ok) saved += 1;
  say(outcome.ok ? `acknowledged ${number}` : `refused ${number} ${outcome.reason}`);
  if (Number(count) > 0 && number >= Number(count)) store.send({ type: 'store.stop' });
  else setImmediate(save);
});
store.start();
store.send({ type: 'store.read', requestId: 'first', section });

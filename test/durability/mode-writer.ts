import { createActor, setup } from 'xstate';
import { modeFile, type ModeStep } from '#drivers/approvals/mode-file.ts';
import type { ModeFact, SecurityMode } from '#machines/approvals/events.ts';

/**
 * A process that only switches the mode: it prints `found <mode>` once, then `asked <mode>` before each write and
 * `acknowledged <mode>` after it. Arguments: folder, what it writes (`nothing`, `hardened` once, or `both` endlessly in
 * turn), and the step of a write to die at or "-".
 */
const [folder = '', writes = 'nothing', dieAt = '-'] = process.argv.slice(2);

const say = (line: string): void => void process.stdout.write(`${line}\n`);
const other = (mode: SecurityMode): SecurityMode => (mode === 'relaxed' ? 'hardened' : 'relaxed');

const driver = modeFile({
  folder,
  onStep: (step: ModeStep) => {
    if (step === dieAt) process.kill(process.pid, 'SIGKILL');
  },
});

let reads = 0;
const root = createActor(
  setup({ types: { events: {} as ModeFact }, actors: { driver } }).createMachine({
    invoke: { id: 'driver', src: 'driver' },
    on: {
      'mode.refused': { actions: ({ event }) => say(`refused ${event.code}`) },
      'mode.read': { actions: ({ event }) => answered(event.mode) },
    },
  }),
);

function answered(mode: SecurityMode): void {
  say(`${reads === 0 ? 'found' : 'acknowledged'} ${mode}`);
  reads += 1;
  if (writes === 'nothing' || (writes === 'hardened' && reads > 1)) return;
  const next = writes === 'hardened' ? 'hardened' : other(mode);
  setImmediate(() => {
    say(`asked ${next}`);
    root.getSnapshot().children.driver?.send({ type: 'mode.write', mode: next });
  });
}

root.start();
// As an agent that waits for its next command: it is killed from outside.
setInterval(() => {}, 60_000);

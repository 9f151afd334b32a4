import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

import { WAKE_BOUND_MS } from '#machines/input/decide.ts';

import { act, backlight, startPlain, status, untilStatus } from '../agent-process.ts';
import { type HidDevice, plugIn, touchScreen } from '../devices/uhid.ts';
import { type GuestCase, say, turn } from '../guest-case.ts';
import { nodeOf } from '../touch-cases.ts';
import { distributionOf, distributionTable, outliersOf } from './distribution.ts';

/** Touches for each of the two, and how many are made before the other has its turn. */
const TOUCHES = Number(process.env['SCONCE_TOUCHES'] || 1000);
const PER_TURN = 25;
/** How many of the slowest are told step by step. */
const SLOWEST = 5;
/** Longest wait for one light. */
const LIGHT_MS = 120_000;
/** Pauses between dark and touch, so that no timer of the agent's runs in step with the touches. */
const PAUSE_MS = { least: 100, most: 400 };
/** What a finger's leaving and what follows the light have before the next touch. */
const SETTLE_MS = 100;

/** What the agent's steps of one touch took, in milliseconds (`trace.cjs`). */
interface Trace {
  readonly took: number;
  readonly untilRead: number;
  readonly untilWrite: number;
  readonly write: number;
  /** Of all that, the collecting of garbage. */
  readonly collecting: number;
  /** Of what came after the read: how long the agent's main thread ran, and waited for a processor. */
  readonly ran: number;
  readonly waited: number;
}

type Fact = Partial<Trace> & { readonly dark?: true };

/** Facts of a program, one at a time. */
function factsOf(stream: Readable): () => Promise<Fact> {
  const lines = createInterface({ input: stream })[Symbol.asyncIterator]();
  return async () => {
    const late = AbortSignal.timeout(LIGHT_MS);
    const line = await Promise.race([
      lines.next(),
      new Promise<never>((_, reject) => {
        late.addEventListener('abort', () => reject(new Error('no light came')));
      }),
    ]);
    if (line.done === true) throw new Error('the program has ended');
    // Written by the programs beside this one.
    return JSON.parse(line.value) as Fact;
  };
}

/** A pause of another length each time, the same ones in each run. */
function pauses(): () => number {
  let seed = 1;
  return () => {
    seed = (seed * 48_271) % 2_147_483_647;
    return PAUSE_MS.least + (seed % (PAUSE_MS.most - PAUSE_MS.least));
  };
}

/** One of the two that light the screen. */
interface Lighter {
  readonly darken: () => Promise<unknown>;
  readonly facts: () => Promise<Fact>;
}

const isTrace = (fact: Fact): fact is Trace => typeof fact.took === 'number';

async function touchOnce({ darken, facts }: Lighter, panel: HidDevice, pauseMs: number): Promise<Trace> {
  await darken();
  assert.equal((await facts()).dark, true);
  await turn(pauseMs);
  panel.report(1, 100, 0, 50, 0);
  const fact = await facts();
  assert.ok(isTrace(fact), JSON.stringify(fact));
  panel.report(0, 100, 0, 50, 0);
  await turn(SETTLE_MS);
  return fact;
}

function stepsOf(number: number, trace: Trace): string {
  const ms = (name: keyof Trace): string => trace[name].toFixed(1);
  return (
    `touch ${number}: ${ms('took')} ms = ${ms('untilRead')} from the kernel's event until it is read ` +
    `+ ${ms('untilWrite')} until the write begins + ${ms('write')} writing; ${ms('collecting')} collecting garbage; ` +
    `after the read ${ms('ran')} on the processor, ${ms('waited')} waiting for it`
  );
}

const pause = (child: ChildProcess): void => void child.kill('SIGSTOP');
const resume = (child: ChildProcess): void => void child.kill('SIGCONT');

/**
 * The agent's own account of a touch is that of the trace; emulated, it takes tens of milliseconds from the end of a
 * write until the agent looks at the clock.
 */
const agrees = (own: number, traced: number): void =>
  assert.ok(
    Math.abs(own - traced) <= 50 + traced / 4 || traced > WAKE_BOUND_MS,
    `${own} ms by the agent's status, ${traced.toFixed(0)} ms by its trace`,
  );

async function measure(bundle: string): Promise<string> {
  const panel = plugIn({ name: 'Touch panel', descriptor: touchScreen });
  // As on a panel, with all of the machine's tools.
  const agent = await startPlain(bundle, { preload: '/tmp/latency/trace.cjs', path: process.env['PATH'] ?? '' });
  const power = `${backlight}/bl_power`;
  const loop = spawn(process.execPath, ['/tmp/latency/bare-loop.mjs', await nodeOf('Touch panel'), power], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  try {
    assert.ok(agent.traced);
    await untilStatus('the touch screen', ({ input }) => input?.devices.touch === 1);
    const lighters = {
      agent: { facts: factsOf(agent.traced), darken: () => act('screen_off') },
      bare: { facts: factsOf(loop.stdout), darken: async () => loop.stdin.write('dark\n') },
    };
    const traces: Trace[] = [];
    const bare: number[] = [];
    const between = pauses();
    while (bare.length < TOUCHES) {
      pause(loop);
      for (let count = 0; count < PER_TURN; count += 1) traces.push(await touchOnce(lighters.agent, panel, between()));
      // By then it has read back what it wrote; beyond its own bound it counts none.
      const counted = traces.filter(({ took }) => took <= WAKE_BOUND_MS).length;
      await untilStatus(`${counted} wakes`, ({ input }) => input?.wakes === counted);
      agrees((await status()).input?.last_wake_ms ?? -1, traces.at(-1)?.took ?? 0);
      pause(agent.child);
      resume(loop);
      for (let count = 0; count < PER_TURN; count += 1)
        bare.push((await touchOnce(lighters.bare, panel, between())).took);
      resume(agent.child);
      await status();
    }
    const took = traces.map((trace) => trace.took);
    for (const line of distributionTable(distributionOf(took), distributionOf(bare))) say('note', line);
    const slowest = traces
      .map((trace, index) => ({ trace, number: index + 1 }))
      .toSorted((a, b) => b.trace.took - a.trace.took)
      .slice(0, SLOWEST);
    for (const { trace, number } of slowest) say('note', stepsOf(number, trace));
    say('note', outliersOf('bare loop', bare));
    say('note', outliersOf('agent', took));
    return `ms p50 ${distributionOf(took).p50.toFixed(1)}, bare ${distributionOf(bare).p50.toFixed(1)}`;
  } finally {
    for (const { child } of [agent, { child: loop }]) child.kill('SIGKILL');
    await agent.ended;
    panel.unplug();
  }
}

/** Touch to light a thousand times, beside the least that it can take in Node; `bundle` is what users start. */
export const touchToLight = (bundle: string): GuestCase => ({
  title: 'a thousand touches light the screen, beside a bare loop',
  run: () => measure(bundle),
  onlyInAll: true,
});

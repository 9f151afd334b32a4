// Which steps run beside each other, and how their output stays apart.
import { live } from './execute.mjs';

/** How nicely the lane beside runs: it takes what the others leave. */
const NICENESS = 5;

/** Output that is kept until it may be shown; once let through it is shown as it comes. */
function heldBack(say) {
  const kept = [];
  let through = false;
  const show = () => {
    for (const text of kept.splice(0)) say(text);
  };
  return {
    say: (text) => (through ? say(text) : void kept.push(text)),
    show,
    letThrough: () => {
      through = true;
      show();
    },
  };
}

/**
 * Runs steps with a lane each: `front` one after the other; at the same time `guest`, whose steps wait most of the
 * time, and `beside` with a lower priority; and `alone` once all are done. Where the lane beside is done first, it
 * takes the last steps of the front from it. Each step's output is shown in one piece: that of the front as it comes,
 * any other between two steps of the front. `run(step, at)` runs one; the answers stand in the order of the steps.
 */
export async function runLanes(steps, run, say = live.say) {
  const results = new Map();
  const inLane = (lane) => steps.filter((step) => step.lane === lane);
  const waiting = inLane('front');
  const running = [];
  const done = [];
  let isFrontDone = false;
  const one = async (step, at) => {
    at.say(`\n== ${step.name}\n`);
    results.set(step, await run(step, at));
  };
  const showDone = () => {
    for (const output of done.splice(0)) output.show();
  };
  const inOrder = async (lane) => {
    while (lane.length > 0) {
      await one(lane.shift(), { say, niceness: 0 });
      showDone();
    }
  };
  /** Once no front has the output, the first step that still runs has it. */
  const passOn = () => {
    showDone();
    running[0]?.letThrough();
  };
  const asideOf = async (step, niceness) => {
    const output = heldBack(say);
    running.push(output);
    if (isFrontDone) passOn();
    await one(step, { say: output.say, niceness });
    running.splice(running.indexOf(output), 1);
    done.push(output);
    if (isFrontDone) passOn();
  };
  const aside = async (lane, niceness) => {
    for (const step of inLane(lane)) await asideOf(step, niceness);
  };
  const besides = async () => {
    await aside('beside', NICENESS);
    while (waiting.length > 0) await asideOf(waiting.pop(), 0);
  };
  if (waiting.length === 0) await inOrder([...inLane('beside'), ...inLane('guest')]);
  else {
    const others = Promise.all([besides(), aside('guest', 0)]);
    await inOrder(waiting);
    isFrontDone = true;
    passOn();
    await others;
  }
  await inOrder(inLane('alone'));
  return steps.map((step) => results.get(step));
}

// Which steps run beside each other, and how their output stays apart.
import { live } from './execute.mjs';

/** How nicely the lane beside runs: it takes what the other one leaves. */
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
 * Runs steps with a lane each: `front` one after the other, `beside` at the same time with a lower priority, and
 * `alone` once both are done. Each step's output is shown in one piece: that of the front as it comes, that of the lane
 * beside between two steps of the front. `run(step, at)` runs one; the answers stand in the order of the steps.
 */
export async function runLanes(steps, run, say = live.say) {
  const results = new Map();
  const inLane = (lane) => steps.filter((step) => step.lane === lane);
  const done = [];
  let now = null;
  let mayShow = false;
  const one = async (step, at) => {
    at.say(`\n== ${step.name}\n`);
    results.set(step, await run(step, at));
  };
  const inFront = async (lane) => {
    for (const step of lane) {
      await one(step, { say, niceness: 0 });
      for (const output of done.splice(0)) output.show();
    }
  };
  const besides = async () => {
    for (const step of inLane('beside')) {
      now = heldBack(say);
      if (mayShow) now.letThrough();
      await one(step, { say: now.say, niceness: NICENESS });
      done.push(now);
      now = null;
    }
  };
  if (inLane('front').length === 0) await inFront(inLane('beside'));
  else {
    const beside = besides();
    await inFront(inLane('front'));
    mayShow = true;
    for (const output of done.splice(0)) output.show();
    now?.letThrough();
    await beside;
  }
  await inFront(inLane('alone'));
  return steps.map((step) => results.get(step));
}

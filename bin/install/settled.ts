import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { foreignValue } from '#machines/kit/foreign-json.ts';
import { jsonBounds } from '#machines/kit/json-excess.ts';
import { isUnprobed } from '#machines/kit/verdict.ts';
import { StatusDocument } from '#machines/status.ts';
import { parseCommand } from '#bin/arguments.ts';
import { defaultPort } from '#bin/usage.ts';
import { reachableAddress } from '#bin/reachable-address.ts';
import { doctor } from '#bin/doctor.ts';
import { say, sayWrong } from './terminal.ts';

/** How long an agent that was just started may take to answer on a slow panel, in milliseconds. */
const startMs = 60_000;

/** How long the agent may probe the machine before doctor reports what is known so far, in milliseconds. */
const probeMs = 15_000;

const own = (path: string): Promise<Response> =>
  fetch(`http://127.0.0.1:${defaultPort}${path}`, { signal: AbortSignal.timeout(2_000) });

/** True if any program of this machine listens on the port of the pages. */
export const portIsTaken = (): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port: defaultPort, timeout: 2_000 });
    const end = (taken: boolean): void => {
      socket.destroy();
      resolve(taken);
    };
    socket.once('connect', () => end(true));
    socket.once('timeout', () => end(true));
    socket.once('error', () => end(false));
  });

async function answers(): Promise<boolean> {
  try {
    return (await own('/health')).ok;
  } catch {
    return false;
  }
}

async function hasProbed(): Promise<boolean> {
  try {
    const parsed = StatusDocument().safeParse(
      foreignValue(await (await own('/api/v1/status')).text(), jsonBounds.program),
    );
    return parsed.success && !parsed.data.capabilities.some(isUnprobed);
  } catch {
    return false;
  }
}

/**
 * Waits for the installed agent and runs doctor; 0 if it runs, even if the panel still needs a person. `knowsHome`: it
 * was given the address of Home Assistant.
 */
export async function settled(knowsHome: boolean): Promise<number> {
  const deadline = performance.now() + startMs;
  while (!(await answers())) {
    if (performance.now() > deadline) {
      return sayWrong(
        'The agent does not answer. It keeps restarting; its log says why it fails: sudo journalctl -b -t sconce',
      );
    }
    await pause(250);
  }
  const probedBy = performance.now() + probeMs;
  while (!(await hasProbed()) && performance.now() < probedBy) await pause(250);
  const asked = parseCommand(['doctor']);
  if (asked.ok && asked.value.verb === 'doctor') await doctor(asked.value.options);
  const page = `http://${reachableAddress()}:${defaultPort}/`;
  say(
    '',
    knowsHome
      ? `The panel is running: ${page}`
      : `The panel is running. Next: open ${page} on your phone or computer and set it up.`,
  );
  return 0;
}

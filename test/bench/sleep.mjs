// What a screen that sleeps by presence costs: three agents side by side, with a small Home Assistant.
import { setTimeout as pause } from 'node:timers/promises';

import { serveRoom } from '../fakes/sensed-room.mjs';
import { processorMs, residentMb } from './measure.mjs';

const PANEL = 'bench';
const SENSOR = 'binary_sensor.motion';
/** Changes of the broken sensor in a second. */
const RATE = 100;
/** Hours in which the screen is always off. */
const ALWAYS = '00:00-12:00; 12:00-00:00';

const get = async (port) => (await fetch(`http://127.0.0.1:${port}/api/v1/auto-sleep`)).json();

async function until(what, look) {
  const deadline = performance.now() + 30_000;
  while (!(await look())) {
    if (performance.now() > deadline) throw new Error(`not within 30 s: ${what}`);
    await pause(100);
  }
}

/** Changes the sensor `RATE` times a second until it is ended; answers how often that was. */
function flood(room) {
  const began = performance.now();
  let sent = 0;
  const timer = setInterval(() => {
    for (const due = ((performance.now() - began) / 1000) * RATE; sent < due; sent += 1)
      room.set(SENSOR, sent % 2 === 0 ? 'on' : 'off');
  }, 10);
  return () => {
    clearInterval(timer);
    return (sent * 1000) / (performance.now() - began);
  };
}

/** Least milliseconds between two switches of the screen, of the last ten. */
const leastPause = (changes) =>
  Math.min(...changes.slice(1).map(({ epoch_ms: at }, index) => changes[index].epoch_ms - at));

/**
 * Processor time in percent of a core and memory in MB, beyond an agent without, of one that waits for presence and of
 * one whose sensor is broken; and how often that one's screen was switched. `launch(data, args)` starts an agent,
 * `save(port, settings)` saves settings.
 */
export async function measureSleep({ launch, save, idleMs }) {
  const [calm, loud] = await Promise.all([serveRoom(PANEL, [SENSOR]), serveRoom(PANEL, [SENSOR])]);
  const begin = async (data, room, settings) => {
    const { port, program } = await launch(data, room.origin);
    await save(port, { panel_id: PANEL, auto_sleep_source: 'home_assistant', ...settings });
    return { port, program };
  };
  const off = await begin('sleep-off', calm, { auto_sleep: false });
  const on = await begin('sleep-on', calm, { auto_sleep: true });
  const broken = await begin('sleep-broken', loud, { auto_sleep: true });
  for (const { port } of [on, broken])
    await until('its sensor counts', async () => (await get(port)).source_count === 1);
  const watched = calm.subscriptions();
  if (watched !== 1) throw new Error(`an agent without watches as well: ${watched} subscriptions`);

  const stop = flood(loud);
  await save(broken.port, { screen_off_hours: ALWAYS });
  await until('the screen to be dark', async () => (await get(broken.port)).changes.length === 1);
  await save(broken.port, { screen_off_hours: '' });
  await pause(idleMs);
  const all = [off, on, broken].map(({ program }) => program);
  const before = all.map(processorMs);
  await pause(idleMs);
  const percent = all.map((program, index) => ((processorMs(program) - before[index]) / idleMs) * 100);
  const memory = all.map(residentMb);
  const rate = stop();
  const { changes } = await get(broken.port);
  await Promise.all([calm.stop(), loud.stop()]);
  if (changes.length < 2) throw new Error('the broken sensor lit no screen');
  if (rate < RATE * 0.9) throw new Error(`the sensor changed ${rate.toFixed(0)} times a second only`);
  return {
    programs: all,
    idle: { percent: percent[1] - percent[0], memory: memory[1] - memory[0] },
    broken: { percent: percent[2] - percent[0], switches: changes.length, pauseS: leastPause(changes) / 1000 },
  };
}

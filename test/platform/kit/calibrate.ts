import { ProximityDocument } from '#machines/proximity/document.ts';
import type { Agent } from './agent.ts';
import { until } from './until.ts';

/** Raw readings of the simulated sensor without and with a hand. */
export const proximity = { clear: 40, near: 800 } as const;

/**
 * How long a hand stays near in a wave, and away between two waves, in milliseconds (as panel-assistant: 200 to 4000,
 * then 1000).
 */
const wave = { nearMs: 700, awayMs: 1800 } as const;
/** A page is to be heard of at least every 30 s. */
const heartbeatMs = 5000;

/** The sensor as the API shows it, checked against its schema. */
export const proximityOf = async (agent: Agent): Promise<ProximityDocument> =>
  ProximityDocument().parse(JSON.parse(await agent.text('/api/v1/proximity')));

/**
 * A person at the panel's own page: goes through the whole guided calibration with a hand that does what the page says,
 * and saves it.
 */
export async function calibrate(agent: Agent): Promise<void> {
  const step = async (action: string, sessionId?: string): Promise<ProximityDocument> => {
    const answer = await fetch(`${agent.origin}/api/v1/proximity/calibration`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-proximity-ui': '1', origin: agent.origin },
      body: JSON.stringify({ action, ...(sessionId !== undefined && { sessionId }) }),
    });
    if (answer.status !== 202) throw new Error(`${action}: ${answer.status} ${await answer.text()}`);
    return ProximityDocument().parse(await answer.json());
  };
  let raw: number = -1;
  let movedAt = performance.now();
  const hand = async (to: number): Promise<void> => {
    if (to === raw) return;
    await agent.touch({ proximity: to });
    raw = to;
    movedAt = performance.now();
  };

  await hand(proximity.clear);
  await step('start');
  // The session's id comes with the sensor's next look.
  const sessionId = await until(
    'the calibration begins',
    async () => (await proximityOf(agent)).sessionId ?? undefined,
  );
  await step('begin', sessionId);
  let heardAt = performance.now();
  await until(
    'the calibration can be saved',
    async () => {
      const { cue, canSave, sessionActive, reason } = await proximityOf(agent);
      if (performance.now() - heardAt > heartbeatMs) {
        await step('heartbeat', sessionId);
        heardAt = performance.now();
      }
      if (cue === 'approach' || cue === 'hold') await hand(proximity.near);
      else if (cue !== 'wave') await hand(proximity.clear);
      else if (performance.now() - movedAt > (raw === proximity.near ? wave.nearMs : wave.awayMs))
        await hand(raw === proximity.near ? proximity.clear : proximity.near);
      return canSave || (!sessionActive && reason !== null);
    },
    120_000,
  );
  await step('save', sessionId);
  await until('the calibration is kept', async () => (await proximityOf(agent)).phase === 'ready');
}

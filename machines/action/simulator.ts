import { z } from 'zod';
import { ok, refuse, type Result } from '#machines/kit/result.ts';
import type { SimulatorEvent } from '#machines/simulator/events.ts';

const byte = z.number().int().min(0).max(255);

/** What can be done to the simulated panel, exactly one thing at a time. */
const touch = z.union([
  z.strictObject({ press: z.number().int().min(1).max(4) }),
  z.strictObject({ lux: z.number().min(0).max(100_000) }),
  z.strictObject({ relay: z.number().int().min(1).max(4), closed: z.boolean() }),
  z.strictObject({ led: z.strictObject({ on: z.boolean(), red: byte, green: byte, blue: byte }) }),
  z.strictObject({ screen: z.strictObject({ on: z.boolean().optional(), brightness: z.number().int().min(1).max(255).optional() }) }),
]);

/** Which event a request body means for the simulated panel, whose screen has the raw range 1 to `rawMax`. */
export const decideSimulator = (body: unknown, rawMax: number): Result<SimulatorEvent, 'bad-value'> => {
  const parsed = touch.safeParse(body);
  if (!parsed.success) {
    return refuse(
      'bad-value',
      'Send one of: {"press": 1 to 4}, {"lux": 0 to 100000}, {"relay": 1 to 4, "closed": true or false}, {"led": {"on", "red", "green", "blue"}}, {"screen": {"on", "brightness": 1 to 255}}.',
    );
  }
  const value = parsed.data;
  if ('press' in value) return ok({ type: 'simulator.press', button: value.press });
  if ('lux' in value) return ok({ type: 'simulator.light', lux: value.lux });
  if ('relay' in value) return ok({ type: 'simulator.relay', relay: value.relay, closed: value.closed });
  if ('led' in value) return ok({ type: 'simulator.led', ...value.led });
  const { on, brightness } = value.screen;
  return ok({
    type: 'simulator.screen',
    ...(on === undefined ? {} : { powered: on }),
    ...(brightness === undefined ? {} : { raw: Math.max(1, Math.round((brightness / 255) * rawMax)) }),
  });
};

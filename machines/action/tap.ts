import { ok, refuse, type Result } from '#machines/kit/result.ts';

/** A tap in pixels of the device, and whether a picture is wanted after it. */
export interface Tap {
  readonly x: number;
  readonly y: number;
  readonly capture: boolean;
}

/** Largest coordinate that is taken; wider than any panel. */
const mostPixels = 16_383;

const decimal = /^\d+(\.\d+)?$/;

const pixel = (value: unknown): number | null => {
  const number = typeof value === 'string' && decimal.test(value.trim()) ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) && number >= 0 && number <= mostPixels ? number : null;
};

const truth: Readonly<Record<string, boolean>> = {
  true: true,
  '1': true,
  on: true,
  yes: true,
  false: false,
  '0': false,
  off: false,
  no: false,
};

/** Reads the body of a tap; a refusal names the field. */
export const decideTap = (body: Readonly<Record<string, unknown>>): Result<Tap, 'bad-value'> => {
  const odd = Object.keys(body).find((name) => name !== 'x' && name !== 'y' && name !== 'capture');
  if (odd !== undefined)
    return refuse(
      'bad-value',
      `There is no field "${odd.slice(0, 64)}" here. Send "x", "y" and, for a picture afterwards, "capture".`,
    );
  const [x, y] = [pixel(body['x']), pixel(body['y'])];
  if (x === null || y === null)
    return refuse(
      'bad-value',
      `The field "${x === null ? 'x' : 'y'}" must be a number of pixels from 0 to ${mostPixels}.`,
    );
  const said = body['capture'] ?? false;
  const capture = typeof said === 'boolean' ? said : typeof said === 'string' ? truth[said.toLowerCase()] : undefined;
  return capture === undefined
    ? refuse('bad-value', 'The field "capture" must be true or false.')
    : ok({ x, y, capture });
};

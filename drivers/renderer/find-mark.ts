import type { InUseHolder } from '#machines/in-use/events.ts';

import type { Corner } from './png-corner.ts';

/** Largest distance of the square from the corner: its edge, on a display of four times the density. */
const EDGE_LIMIT = 16;
/** Height of a mark that is seen, in pixels of the picture: 24 on a usual display. */
const SIDE = { min: 16, max: 112 };
/** How far width and height may differ, where a scale is no whole number. */
const UNEVEN = 2;

type Colour = readonly [red: number, green: number, blue: number];

type Is = (colour: Colour) => boolean;

const isRed: Is = ([red, green, blue]) => red >= 180 && green <= 70 && blue <= 70;
const isAmber: Is = ([red, green, blue]) => red >= 220 && green >= 120 && green <= 190 && blue <= 70;
const isWhite = (colour: Colour): boolean => Math.min(...colour) >= 200;

/** What a mark of this form stands for: a square, or red and twice as wide with the same edge. */
function holdersOf(isFilled: Is, wide: number, high: number, edge: number): readonly InUseHolder[] {
  if (Math.abs(wide - high) <= UNEVEN) return [isFilled === isRed ? 'camera' : 'microphone'];
  const isDouble = wide >= 2 * high - UNEVEN && wide <= 2 * high + edge + UNEVEN;
  return isFilled === isRed && isDouble ? ['camera', 'microphone'] : [];
}

/** What the mark in the corner stands for: it is whole, with a white edge on all four sides. Empty for no mark. */
export function markIn({ width, height, rgb }: Corner): readonly InUseHolder[] {
  const at = (x: number, y: number): Colour => {
    const first = (y * width + x) * 3;
    const inside = x >= 0 && y >= 0 && x < width && y < height;
    return inside ? [rgb[first] ?? 0, rgb[first + 1] ?? 0, rgb[first + 2] ?? 0] : [0, 0, 0];
  };
  const reach = (from: number, is: (at: number) => boolean): number => {
    let to = from;
    while (is(to)) to += 1;
    return to - from;
  };
  const colourAt = (place: number): Is | undefined => [isRed, isAmber].find((is) => is(at(place, place)));
  let start = 0;
  while (start < EDGE_LIMIT && colourAt(start) === undefined) start += 1;
  const isFilled = colourAt(start);
  if (isFilled === undefined || start === 0) return [];
  const wide = reach(start, (x) => isFilled(at(x, start)));
  const high = reach(start, (y) => isFilled(at(start, y)));
  if (high < SIDE.min || high > SIDE.max) return [];
  for (let y = start; y < start + high; y += 1)
    for (let x = start; x < start + wide; x += 1) if (!isFilled(at(x, y))) return [];
  const [right, bottom] = [start + wide, start + high];
  // A pixel between the colours is a blend, where the scale is no whole number.
  const isEdge = (x: number, y: number, stepX: number, stepY: number): boolean =>
    isWhite(at(x, y)) || isWhite(at(x + stepX, y + stepY));
  for (let x = start; x < right; x += 1) if (!isEdge(x, start - 1, 0, -1) || !isEdge(x, bottom, 0, 1)) return [];
  for (let y = start; y < bottom; y += 1) if (!isEdge(start - 1, y, -1, 0) || !isEdge(right, y, 1, 0)) return [];
  return holdersOf(isFilled, wide, high, start);
}

import type { Corner } from './png-corner.ts';

/** Largest distance of the square from the corner: its edge, on a display of four times the density. */
const EDGE_LIMIT = 16;
/** Side of a square that is seen, in pixels of the picture: 24 on a usual display. */
const SIDE = { min: 16, max: 112 };
/** How far width and height may differ, where a scale is no whole number. */
const UNEVEN = 2;

type Colour = readonly [red: number, green: number, blue: number];

const isRed = ([red, green, blue]: Colour): boolean => red >= 180 && green <= 70 && blue <= 70;
const isWhite = (colour: Colour): boolean => Math.min(...colour) >= 200;

/** True if the corner shows the mark: a red square, whole, with a white edge on all four sides. */
export function hasMark({ width, height, rgb }: Corner): boolean {
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
  let start = 0;
  while (start < EDGE_LIMIT && !isRed(at(start, start))) start += 1;
  const wide = reach(start, (x) => isRed(at(x, start)));
  const high = reach(start, (y) => isRed(at(start, y)));
  if (start === 0 || wide < SIDE.min || wide > SIDE.max || Math.abs(wide - high) > UNEVEN) return false;
  for (let y = start; y < start + high; y += 1)
    for (let x = start; x < start + wide; x += 1) if (!isRed(at(x, y))) return false;
  const [right, bottom] = [start + wide, start + high];
  // A pixel between the colours is a blend, where the scale is no whole number.
  const isEdge = (x: number, y: number, stepX: number, stepY: number): boolean =>
    isWhite(at(x, y)) || isWhite(at(x + stepX, y + stepY));
  for (let x = start; x < right; x += 1) if (!isEdge(x, start - 1, 0, -1) || !isEdge(x, bottom, 0, 1)) return false;
  for (let y = start; y < bottom; y += 1) if (!isEdge(start - 1, y, -1, 0) || !isEdge(right, y, 1, 0)) return false;
  return true;
}

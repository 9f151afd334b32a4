/** Size of a picture in pixels; both are even. */
export interface FilmSize {
  readonly width: number;
  readonly height: number;
}

/** A colour as luma and both chroma, 16 to 235 and 16 to 240. */
type Colour = readonly [y: number, u: number, v: number];

/** What a picture shows. */
interface FilmMoment {
  /** For the clock on the wall. */
  readonly hours: number;
  readonly minutes: number;
  readonly seconds: number;
  /** Seconds of a monotonic clock, for the person who walks. */
  readonly walkedFor: number;
}

export interface Film {
  /** Bytes of one picture in planar 4:2:0. */
  readonly bytes: number;
  /** Draws a picture into a buffer of that size. */
  readonly draw: (frame: Buffer, moment: FilmMoment) => void;
  /** Draws what a covered lens sees. */
  readonly drawBlack: (frame: Buffer) => void;
}

const WALL: Colour = [150, 118, 138];
const FLOOR: Colour = [84, 112, 146];
const SKY: Colour = [205, 150, 116];
const FRAME: Colour = [220, 128, 128];
const DOOR: Colour = [96, 108, 150];
const CLOCK: Colour = [28, 128, 128];
const DIGIT: Colour = [235, 128, 128];
const SKIN: Colour = [168, 108, 152];
const SHIRT: Colour = [92, 158, 104];
const TROUSERS: Colour = [50, 136, 124];
const BLACK: Colour = [16, 128, 128];

/** Digits as 3 by 5 blocks, from the top left; the eleventh is a colon. */
const DIGITS = [
  '111101101101111',
  '010110010010111',
  '111001111100111',
  '111001111001111',
  '101101111001001',
  '111100111001111',
  '111100111101111',
  '111001001001001',
  '111101111101111',
  '111101111001111',
  '000010000010000',
] as const;
const COLON = 10;

/** Seconds of one walk across the room and back. */
const WALK_SECONDS = 12;

type Fill = (left: number, top: number, width: number, height: number, colour: Colour) => void;

/** Fills boxes of a picture; the unit of all numbers is 1/160 of its width, and 1/90 of its height. */
function brush(frame: Buffer, { width, height }: FilmSize): Fill {
  const halfWidth = width / 2;
  const planes = [0, width * height, (width * height * 5) / 4] as const;
  const even = (value: number, side: number, units: number): number =>
    Math.min(side, Math.max(0, 2 * Math.round((value * side) / units / 2)));
  return (left, top, wide, high, [y, u, v]) => {
    const [fromX, toX] = [even(left, width, 160), even(left + wide, width, 160)];
    const [fromY, toY] = [even(top, height, 90), even(top + high, height, 90)];
    for (let row = fromY; row < toY; row += 1) frame.fill(y, row * width + fromX, row * width + toX);
    for (let row = fromY / 2; row < toY / 2; row += 1) {
      const line = row * halfWidth;
      frame.fill(u, planes[1] + line + fromX / 2, planes[1] + line + toX / 2);
      frame.fill(v, planes[2] + line + fromX / 2, planes[2] + line + toX / 2);
    }
  };
}

function drawRoom(fill: Fill): void {
  fill(0, 0, 160, 66, WALL);
  fill(0, 66, 160, 24, FLOOR);
  fill(0, 64, 160, 2, FRAME);
  fill(12, 10, 40, 32, FRAME);
  fill(14, 12, 17, 28, SKY);
  fill(33, 12, 17, 28, SKY);
  fill(124, 20, 24, 46, DOOR);
  fill(127, 43, 2, 3, FRAME);
}

function drawClock(fill: Fill, { hours, minutes, seconds }: FilmMoment): void {
  fill(60, 4, 60, 14, CLOCK);
  const two = (value: number): readonly number[] => [Math.floor(value / 10) % 10, value % 10];
  const shown = [...two(hours), COLON, ...two(minutes), COLON, ...two(seconds)];
  for (const [place, digit] of shown.entries())
    for (let block = 0; block < 15; block += 1)
      if (DIGITS[digit]?.[block] === '1')
        fill(62 + place * 7 + (block % 3) * 2, 6 + Math.floor(block / 3) * 2, 2, 2, DIGIT);
}

function drawPerson(fill: Fill, walkedFor: number): void {
  const phase = (walkedFor % WALK_SECONDS) / WALK_SECONDS;
  const way = phase < 0.5 ? phase * 2 : 2 - phase * 2;
  const x = 6 + way * 138;
  const stride = Math.sin(walkedFor * 6) * 3;
  fill(x + 2, 34, 7, 9, SKIN);
  fill(x, 43, 11, 19, SHIRT);
  fill(x + 2 - stride, 62, 3, 20, TROUSERS);
  fill(x + 6 + stride, 62, 3, 20, TROUSERS);
}

/** A room with a window, a clock of blocks and a person who walks, drawn as raw pictures. */
export function createFilm(size: FilmSize): Film {
  const bytes = (size.width * size.height * 3) / 2;
  const room = Buffer.alloc(bytes);
  drawRoom(brush(room, size));
  return {
    bytes,
    draw: (frame, moment) => {
      room.copy(frame);
      const fill = brush(frame, size);
      drawClock(fill, moment);
      drawPerson(fill, moment.walkedFor);
    },
    drawBlack: (frame) => brush(frame, size)(0, 0, 160, 90, BLACK),
  };
}

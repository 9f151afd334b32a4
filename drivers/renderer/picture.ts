import type { Milliseconds } from '#machines/kit/units.ts';

import { numberAt, textAt } from './json-fields.ts';
import type { PageSession } from './session.ts';

/** The visible part of the page in CSS pixels, and how many pixels of a picture one of them is wide. */
export interface Extent {
  readonly width: number;
  readonly height: number;
  readonly ratio: number;
}

/** Longest wait for the size of the visible part; without it the picture is not cropped. */
const SIZE_MS: Milliseconds = 1000;
const SHOT_MS: Milliseconds = 5000;

/**
 * Reads the visible part; anything beyond the edge of the screen is not (`coverScreen`). Null without an answer in
 * time.
 */
export async function readExtent(page: PageSession): Promise<Extent | null> {
  const seen = await page.evaluate(
    '({ width: Math.min(innerWidth, screen.width), height: Math.min(innerHeight, screen.height), ratio: devicePixelRatio })',
    { withinMs: SIZE_MS },
  );
  const width = numberAt(seen, 'width');
  const height = numberAt(seen, 'height');
  const ratio = numberAt(seen, 'ratio');
  return width === null || height === null || ratio === null || ratio <= 0 ? null : { width, height, ratio };
}

/** A PNG of the visible part; null if the browser gives none in time. */
export async function takePicture(page: PageSession): Promise<Uint8Array | null> {
  const extent = await readExtent(page);
  const clip = extent && { x: 0, y: 0, width: extent.width, height: extent.height, scale: 1 };
  const answer = await page.call(
    'Page.captureScreenshot',
    { format: 'png', optimizeForSpeed: true, ...(clip && { clip }) },
    SHOT_MS,
  );
  const base64 = answer.ok ? textAt(Number.MAX_SAFE_INTEGER, answer.value, 'data') : null;
  return base64 === null ? null : Buffer.from(base64, 'base64');
}

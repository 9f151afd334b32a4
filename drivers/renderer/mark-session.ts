import type { InUseHolder } from '#machines/in-use/events.ts';
import type { Milliseconds } from '#machines/kit/units.ts';

import type { DevTools } from './devtools.ts';
import { markIn } from './find-mark.ts';
import { numberAt, textAt } from './json-fields.ts';
import { LABEL_WORLD, labelScript, TAKE_LABEL } from './mark-label.ts';
import { cornerOf } from './png-corner.ts';

/** Longest wait for the browser to take a command; a page that loads or hangs takes none. */
const CALL_MS: Milliseconds = 1000;
/** Longest wait for a picture, which together with a command stays below the 3 s after which a use ends. */
const SHOT_MS: Milliseconds = 1500;
/** The mark in CSS pixels, twice as wide for two; the edge is drawn around it. */
const RECT = { x: 1, y: 1, height: 24 } as const;
const widthFor = (of: readonly InUseHolder[]): number => RECT.height * of.length;
const RED = { r: 230, g: 0, b: 0, a: 1 } as const;
const AMBER = { r: 255, g: 153, b: 0, a: 1 } as const;
const WHITE = { r: 255, g: 255, b: 255, a: 1 } as const;
/** Between the mark and its label, for the edge. */
const LABEL_GAP = 3;

/** A separate session with one tab, in which the mark is drawn and looked for. */
export interface MarkSession {
  readonly id: string;
  /** Draws it; true if the browser took it. */
  readonly draw: (of: readonly InUseHolder[]) => Promise<boolean>;
  /** What the mark in a picture of the tab stands for; empty for none. */
  readonly look: () => Promise<readonly InUseHolder[]>;
  /** The page was left for another one, whose main frame has this id. */
  readonly navigated: (frame: string) => void;
  /** Takes the mark away, and all domains of the session with it. */
  readonly close: () => Promise<void>;
}

/** Attaches to a tab; null if it is gone. Its page is given a text beside the mark. */
export async function openMarkSession(tools: DevTools, targetId: string): Promise<MarkSession | null> {
  const attached = await tools.call('Target.attachToTarget', { targetId, flatten: true }, { withinMs: CALL_MS });
  const id = attached.ok ? textAt(100, attached.value, 'sessionId') : null;
  if (id === null) return null;
  const call = (method: string, params: object = {}, withinMs = CALL_MS): ReturnType<DevTools['call']> =>
    tools.call(method, params, { session: id, withinMs });
  // Without waiting: the session takes them in this order, and a page that hangs answers none of them.
  for (const domain of ['Page', 'DOM', 'Overlay']) void call(`${domain}.enable`);
  let frame = targetId;
  let world: number | null = null;

  const inWorld = async (expression: string): Promise<void> => {
    if (world === null) {
      const made = await call('Page.createIsolatedWorld', { frameId: frame, worldName: LABEL_WORLD });
      world = made.ok ? numberAt(made.value, 'executionContextId') : null;
    }
    if (world !== null) await call('Runtime.evaluate', { expression, contextId: world, silent: true });
  };

  return {
    id,
    draw: async (of) => {
      const width = widthFor(of);
      const color = of.includes('camera') ? RED : AMBER;
      const drawn = await call('Overlay.highlightRect', { ...RECT, width, color, outlineColor: WHITE });
      if (drawn.ok) void inWorld(labelScript(of, RECT.x + width + LABEL_GAP));
      return drawn.ok;
    },
    look: async () => {
      // Of the whole tab: for a part of it Chromium 156 resizes the page, which flashes white and loses its zoom.
      const shot = await call('Page.captureScreenshot', { format: 'png', optimizeForSpeed: true }, SHOT_MS);
      const base64 = shot.ok ? textAt(Number.MAX_SAFE_INTEGER, shot.value, 'data') : null;
      const corner = base64 === null ? null : await cornerOf(Buffer.from(base64, 'base64'));
      return corner === null ? [] : markIn(corner);
    },
    navigated: (next) => {
      frame = next;
      world = null;
    },
    close: async () => {
      if (world !== null) void call('Runtime.evaluate', { expression: TAKE_LABEL, contextId: world, silent: true });
      for (const domain of ['Overlay', 'DOM', 'Page']) void call(`${domain}.disable`);
      // The browser itself does this, also where the page takes nothing.
      await tools.call('Target.detachFromTarget', { sessionId: id }, { withinMs: CALL_MS });
      tools.dropSession(id);
    },
  };
}

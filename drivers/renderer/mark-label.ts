import type { InUseHolder } from '#machines/in-use/events.ts';

/** Name of the world in which the label is made, apart from the page's own scripts. */
export const LABEL_WORLD = 'sconce-mark';

const words: Readonly<Record<InUseHolder, string>> = { camera: 'Camera in use', microphone: 'Microphone in use' };
const wordsFor = (of: readonly InUseHolder[]): string =>
  of.length === 2 ? 'Camera and microphone in use' : ((of[0] && words[of[0]]) ?? '');

/**
 * Puts what is in use beside the mark, whose right edge is at `left` CSS pixels. The page can cover or remove it, so it
 * proves nothing; the mark itself is drawn by the browser.
 */
export const labelScript = (of: readonly InUseHolder[], left: number): string => `(() => {
  let own = globalThis.sconceLabel;
  if (!own) {
    const host = document.createElement('div');
    host.style.cssText = 'all:initial;position:fixed;left:0;top:0;z-index:2147483647;pointer-events:none';
    const text = document.createElement('div');
    text.style.cssText = 'position:fixed;top:1px;height:24px;padding:0 8px 0 6px;border-radius:0 4px 4px 0;' +
      'background:#111;color:#fff;font:600 14px/24px system-ui,sans-serif;white-space:nowrap;pointer-events:none';
    host.attachShadow({ mode: 'closed' }).append(text);
    own = globalThis.sconceLabel = { host, text };
  }
  own.text.textContent = ${JSON.stringify(wordsFor(of))};
  own.text.style.left = '${left}px';
  if (!own.host.isConnected) document.documentElement?.append(own.host);
})()`;

/** Takes it away again. */
export const TAKE_LABEL = `(() => { globalThis.sconceLabel?.host.remove(); delete globalThis.sconceLabel; })()`;

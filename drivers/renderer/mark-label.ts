/** Name of the world in which the label is made, apart from the page's own scripts. */
export const LABEL_WORLD = 'sconce-mark';

/**
 * Puts "Camera in use" beside the mark, once. The page can cover or remove it, so it proves nothing; the mark itself is
 * drawn by the browser.
 */
export const PUT_LABEL = `(() => {
  if (globalThis.sconceLabel?.isConnected) return;
  const host = document.createElement('div');
  host.style.cssText = 'all:initial;position:fixed;left:0;top:0;z-index:2147483647;pointer-events:none';
  const text = document.createElement('div');
  text.textContent = 'Camera in use';
  text.style.cssText = 'position:fixed;left:28px;top:1px;height:24px;padding:0 8px 0 6px;border-radius:0 4px 4px 0;' +
    'background:#111;color:#fff;font:600 14px/24px system-ui,sans-serif;white-space:nowrap;pointer-events:none';
  host.attachShadow({ mode: 'closed' }).append(text);
  document.documentElement.append(host);
  globalThis.sconceLabel = host;
})()`;

/** Takes it away again. */
export const TAKE_LABEL = `(() => { globalThis.sconceLabel?.remove(); delete globalThis.sconceLabel; })()`;

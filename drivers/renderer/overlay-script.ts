import { OVERLAY_SHEET } from './overlay-sheet.ts';

/** Name of the world in which the overlay is made, apart from the page's own scripts. */
export const OVERLAY_WORLD = 'sconce-voice';
/** Name of the binding, which exists in that world alone. */
export const OVERLAY_BINDING = 'sconceVoicePost';

/** What the overlay shows, as its script takes it. */
export interface OverlayContent {
  readonly button: boolean;
  /** The phase whose tint is drawn, and `error`; `off` and `idle` draw none. */
  readonly phase: string;
  readonly hue: number;
  readonly heard: string | null;
  readonly answer: string | null;
}

/** `mdi:microphone` of Material Design Icons. */
const MICROPHONE =
  'M12,2A3,3 0 0,1 15,5V11A3,3 0 0,1 12,14A3,3 0 0,1 9,11V5A3,3 0 0,1 12,2M19,11C19,14.53 16.39,17.44 13,17.93V21H11' +
  'V17.93C7.61,17.44 5,14.53 5,11H7A5,5 0 0,0 12,16A5,5 0 0,0 17,11H19Z';

/** Width of the edge that takes a touch, in CSS pixels. */
const EDGE_PX = 24;
/** Shortest time between two repairs, so that a page that removes the overlay cannot keep its thread busy. */
const REPAIR_MS = 250;

/** Makes its elements, and what listens to them: `down`, `up` and `dismiss`. */
const BUILD = `() => {
  const make = (name, parent, className = '') => {
    const made = document.createElement(name);
    if (className) made.className = className;
    parent.append(made);
    return made;
  };
  const svg = (name, parent, attributes) => {
    const made = parent.appendChild(document.createElementNS('http://www.w3.org/2000/svg', name));
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    return made;
  };
  const host = document.createElement('div');
  const root = host.attachShadow({ mode: 'closed' });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(${JSON.stringify(OVERLAY_SHEET)});
  root.adoptedStyleSheets = [sheet];
  const layer = make('div', root, 'layer');
  for (const side of ['top', 'right', 'bottom', 'left'])
    make('i', make('i', layer, 'edge ' + side), 'hit').addEventListener('pointerdown', dismiss);
  const words = make('div', layer, 'words');
  words.setAttribute('role', 'status');
  const heard = make('p', words, 'heard');
  const answer = make('p', words, 'answer');
  const button = make('button', layer, 'speak');
  button.type = 'button';
  svg('path', svg('svg', button, { viewBox: '0 0 24 24', 'aria-hidden': 'true' }), { d: '${MICROPHONE}' });
  make('span', button, 'fault').textContent = '!';
  button.addEventListener('pointerdown', (event) => {
    if (!event.isTrusted || !event.isPrimary || event.button !== 0) return;
    try { button.setPointerCapture(event.pointerId); } catch {}
    down(event);
  });
  for (const type of ['pointerup', 'pointercancel', 'lostpointercapture', 'blur'])
    button.addEventListener(type, (event) => { if (event.isTrusted) up(event); });
  const isKey = (event) => event.isTrusted && (event.key === ' ' || event.key === 'Enter');
  button.addEventListener('keydown', (event) => { if (isKey(event) && !event.repeat) down(event); });
  button.addEventListener('keyup', (event) => { if (isKey(event)) up(event); });
  host.addEventListener('toggle', (event) => { if (event.newState === 'closed') repairLater(); });
  return { host, layer, words, heard, answer, button };
}`;

/**
 * Makes the overlay in the main frame: in a closed shadow root and, where the browser can, in the top layer, so that no
 * z-index of the page is above it. It is put back if the page removes or changes it, and made again where it was out of
 * the document, since `document.open()` takes its listeners. Only trusted events count. Each message is a word and the
 * moment of the touch in milliseconds since the epoch.
 */
const INSTALL = `(() => {
  if (window !== top) return null;
  const post = globalThis.${OVERLAY_BINDING};
  if (typeof post !== 'function') return null;
  const LOOK = 'all:initial!important;position:fixed!important;top:0!important;left:0!important;width:0!important;' +
    'height:0!important;display:block!important;z-index:2147483647!important;pointer-events:none!important';
  const titles = { listening: 'Listening', processing: 'Thinking', responding: 'Answering', error: 'Speak: the last time it failed' };
  let parts = null;
  let look = '';
  let content = null;
  let isTinted = false;
  let isDown = false;
  let repairing = 0;

  const when = (event) => Math.round(Date.now() - performance.now() + event.timeStamp);
  const down = (event) => {
    if (isDown) return;
    isDown = true;
    parts.button.classList.add('down');
    post('down ' + when(event));
  };
  const up = (event) => {
    if (!isDown) return;
    isDown = false;
    parts.button.classList.remove('down');
    post('up ' + when(event));
  };
  const dismiss = (event) => { if (event.isTrusted && isTinted) post('edge ' + when(event)); };
  // A modal dialog of the page takes a touch of the edge instead.
  const dismissOver = (event) => {
    const { clientX: x, clientY: y } = event;
    if (event.target !== parts?.host && Math.min(x, y, innerWidth - x, innerHeight - y) < ${EDGE_PX}) dismiss(event);
  };
  const build = ${BUILD};
  const isTop = (host) => typeof host.showPopover !== 'function' || host.matches(':popover-open');

  const put = () => {
    if (parts !== null && !parts.host.isConnected) {
      up({ timeStamp: performance.now() });
      parts = null;
    }
    if (parts === null) {
      parts = build();
      parts.host.style.cssText = LOOK;
      look = parts.host.style.cssText;
      addEventListener('pointerdown', dismissOver, true);
    }
    const { host } = parts;
    if (host.style.cssText !== look) host.style.cssText = LOOK;
    if (typeof host.showPopover === 'function' && host.getAttribute('popover') !== 'manual') host.setAttribute('popover', 'manual');
    if (host.parentNode !== document.documentElement) document.documentElement.append(host);
    if (!isTop(host)) host.showPopover();
  };
  const fill = () => {
    const { layer, words, heard, answer, button } = parts;
    layer.dataset.phase = content.phase;
    layer.style.setProperty('--hue', String(content.hue));
    layer.classList.toggle('tinted', isTinted);
    layer.classList.toggle('buttoned', hasButton());
    button.hidden = !hasButton();
    button.setAttribute('aria-label', titles[content.phase] ?? 'Speak');
    heard.textContent = content.heard ?? '';
    answer.textContent = content.answer ?? '';
    words.hidden = !content.heard && !content.answer;
  };
  const hasButton = () => content.button && location.origin === content.origin;
  const observer = new MutationObserver(() => repairLater());
  const draw = () => {
    observer.disconnect();
    if (!hasButton() && !isTinted && !content.answer) {
      if (isDown) up({ timeStamp: performance.now() });
      parts?.host.remove();
      parts = null;
      return;
    }
    observer.observe(document, { childList: true });
    if (!document.documentElement) return;
    put();
    fill();
    observer.observe(document.documentElement, { childList: true });
    observer.observe(parts.host, { attributes: true });
  };
  const repairLater = () => {
    if (repairing === 0) repairing = setTimeout(() => { repairing = 0; draw(); }, ${REPAIR_MS});
  };
  return (next) => {
    const wasPhase = content?.phase;
    content = next;
    isTinted = ['listening', 'processing', 'responding'].includes(next.phase);
    draw();
    // Above a dialog that was opened before.
    if (parts !== null && isTinted && wasPhase !== next.phase && !isDown && typeof parts.host.showPopover === 'function') {
      parts.host.hidePopover();
      parts.host.showPopover();
    }
    return true;
  };
})()`;

/** Expressions that show this, and are true once it is drawn: where the script is `known`, and for the `first` time. */
export function showIn(
  content: OverlayContent,
  origin: string | null,
): { readonly known: string; readonly first: string } {
  const given = JSON.stringify({ ...content, origin });
  return {
    known: `typeof globalThis.sconceVoice === 'function' ? globalThis.sconceVoice(${given}) : null`,
    first: `(globalThis.sconceVoice = globalThis.sconceVoice ?? ${INSTALL})?.(${given})`,
  };
}

/** What is drawn is taken away. */
export const NOTHING: OverlayContent = { button: false, phase: 'off', hue: 0, heard: null, answer: null };

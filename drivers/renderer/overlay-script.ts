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

/**
 * Makes the overlay in the main frame: in a closed shadow root and, where the browser can, in the top layer, so that no
 * z-index of the page is above it. It is put back if the page removes or changes it. Only trusted events count. Each
 * message is a word and the moment of the touch in milliseconds since the epoch.
 */
const INSTALL = `(() => {
  if (window !== top) return null;
  const post = globalThis.${OVERLAY_BINDING};
  if (typeof post !== 'function') return null;
  const LOOK = 'all:initial!important;position:fixed!important;top:0!important;left:0!important;width:0!important;' +
    'height:0!important;display:block!important;z-index:2147483647!important;pointer-events:none!important';
  const make = (name, parent, className = '') => {
    const made = document.createElement(name);
    if (className) made.className = className;
    parent.append(made);
    return made;
  };
  const host = document.createElement('div');
  const root = host.attachShadow({ mode: 'closed' });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(${JSON.stringify(OVERLAY_SHEET)});
  root.adoptedStyleSheets = [sheet];
  const layer = make('div', root, 'layer');
  const edges = ['top', 'right', 'bottom', 'left'].map((side) => make('i', make('i', layer, 'edge ' + side), 'hit'));
  const words = make('div', layer, 'words');
  words.setAttribute('role', 'status');
  const heard = make('p', words, 'heard');
  const answer = make('p', words, 'answer');
  const button = make('button', layer, 'speak');
  button.type = 'button';
  const picture = button.appendChild(document.createElementNS('http://www.w3.org/2000/svg', 'svg'));
  picture.setAttribute('viewBox', '0 0 24 24');
  picture.setAttribute('aria-hidden', 'true');
  picture.appendChild(document.createElementNS('http://www.w3.org/2000/svg', 'path')).setAttribute('d', '${MICROPHONE}');
  make('span', button, 'fault').textContent = '!';

  const when = (event) => Math.round(Date.now() - performance.now() + event.timeStamp);
  let isDown = false;
  const down = (event) => {
    if (isDown) return;
    isDown = true;
    button.classList.add('down');
    post('down ' + when(event));
  };
  const up = (event) => {
    if (!isDown) return;
    isDown = false;
    button.classList.remove('down');
    post('up ' + when(event));
  };
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

  let isTinted = false;
  const dismiss = (event) => { if (event.isTrusted && isTinted) post('edge ' + when(event)); };
  for (const edge of edges) edge.addEventListener('pointerdown', dismiss);
  // A modal dialog of the page takes the touch instead.
  addEventListener('pointerdown', (event) => {
    const { clientX: x, clientY: y } = event;
    if (event.target !== host && Math.min(x, y, innerWidth - x, innerHeight - y) < ${EDGE_PX}) dismiss(event);
  }, true);

  let isShown = false;
  const rise = () => {
    if (typeof host.showPopover !== 'function') return;
    if (host.matches(':popover-open')) host.hidePopover();
    host.showPopover();
  };
  const put = () => {
    if (!document.documentElement) return;
    if (host.style.cssText !== look) host.style.cssText = LOOK;
    if (typeof host.showPopover === 'function' && host.getAttribute('popover') !== 'manual') host.setAttribute('popover', 'manual');
    if (host.parentNode !== document.documentElement) document.documentElement.append(host);
    if (typeof host.showPopover === 'function' && !host.matches(':popover-open')) host.showPopover();
  };
  host.style.cssText = LOOK;
  const look = host.style.cssText;
  let repairing = 0;
  const watch = () => {
    observer.disconnect();
    if (!isShown) return;
    observer.observe(document, { childList: true });
    if (document.documentElement) observer.observe(document.documentElement, { childList: true });
    observer.observe(host, { attributes: true });
  };
  const repair = () => {
    if (!isShown) return;
    put();
    watch();
  };
  const observer = new MutationObserver(() => {
    if (repairing === 0) repairing = setTimeout(() => { repairing = 0; repair(); }, host.isConnected ? ${REPAIR_MS} : 0);
  });
  host.addEventListener('toggle', (event) => { if (event.newState === 'closed' && isShown) setTimeout(repair, ${REPAIR_MS}); });

  const titles = { listening: 'Listening', processing: 'Thinking', responding: 'Answering', error: 'Speak: the last time it failed' };
  let phase = '';
  return (content) => {
    isTinted = content.phase in titles && content.phase !== 'error';
    layer.dataset.phase = content.phase;
    layer.style.setProperty('--hue', String(content.hue));
    layer.classList.toggle('tinted', isTinted);
    button.hidden = !content.button || location.origin !== content.origin;
    layer.classList.toggle('buttoned', !button.hidden);
    if (button.hidden && isDown) up({ timeStamp: performance.now() });
    button.setAttribute('aria-label', titles[content.phase] ?? 'Speak');
    heard.textContent = content.heard ?? '';
    answer.textContent = content.answer ?? '';
    words.hidden = !content.heard && !content.answer;
    isShown = !button.hidden || isTinted || !words.hidden;
    if (!isShown) {
      observer.disconnect();
      host.remove();
    } else {
      put();
      // Above a dialog that was opened before.
      if (isTinted && phase !== content.phase && !isDown) rise();
      watch();
    }
    phase = content.phase;
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
    first: `(globalThis.sconceVoice = ${INSTALL})?.(${given})`,
  };
}

/** What is drawn is taken away. */
export const NOTHING: OverlayContent = { button: false, phase: 'off', hue: 0, heard: null, answer: null };

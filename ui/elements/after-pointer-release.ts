/** How long after a finger is lifted the page may move: until then that may be a click, in milliseconds. */
export const CLICK_MS = 100;

let isPressed = false;
let isWatched = false;
const held: (() => void)[] = [];

function watch(): void {
  if (isWatched) return;
  isWatched = true;
  const lift = (): void => {
    isPressed = false;
    window.setTimeout(() => {
      if (!isPressed) for (const show of held.splice(0)) show();
    }, CLICK_MS);
  };
  document.addEventListener('pointerdown', () => void (isPressed = true), true);
  for (const kind of ['pointerup', 'pointercancel']) document.addEventListener(kind, lift, true);
}

/** Shows what moves the page, or waits until no finger is on it: it would miss what it pressed. */
export function afterPointerRelease(show: () => void): void {
  watch();
  if (isPressed) held.push(show);
  else show();
}

/** Begins to watch for fingers, so that one that is down already is known. */
export const watchPointer = watch;

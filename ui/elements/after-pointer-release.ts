/**
 * How long after a finger is lifted the layout may move, in milliseconds; until then the lift may still become a
 * click.
 */
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

/** Runs a change that moves the layout, or waits until no finger is on the page: the finger would miss its target. */
export function afterPointerRelease(show: () => void): void {
  watch();
  if (isPressed) held.push(show);
  else show();
}

/** Starts tracking pointers, so that a finger already down is known. */
export const watchPointer = watch;

/**
 * How long a button is held, in milliseconds: more than the second that the panel asks for, since press and end are
 * timed when they arrive there. `ask.css` fills the bar in the same time.
 */
const holdMs = 1100;

export interface HoldEvents {
  readonly pressed: () => void;
  readonly released: () => void;
  readonly held: () => void;
}

/** A button that is held. */
export interface Hold {
  /** Ends a press that is under way, as if it was let go. */
  readonly cancel: () => void;
}

/** What presses: a pointer by its id, or the keyboard. */
type Presser = number | 'key';

function isInside(button: HTMLElement, { clientX, clientY }: PointerEvent): boolean {
  const { left, right, top, bottom } = button.getBoundingClientRect();
  return clientX >= left && clientX <= right && clientY >= top && clientY <= bottom;
}

/** Makes a button one that is held, by finger, mouse or key; letting go or leaving it cancels. */
export function startHold(button: HTMLButtonElement, { pressed, released, held }: HoldEvents): Hold {
  let presser: Presser | null = null;
  let timer: number | undefined;

  const end = (): void => {
    window.clearTimeout(timer);
    presser = null;
    button.classList.remove('is-held');
  };
  const cancel = (): void => {
    if (presser === null) return;
    end();
    released();
  };
  const press = (by: Presser): void => {
    if (presser !== null || button.disabled) return;
    presser = by;
    button.classList.add('is-held');
    timer = window.setTimeout(() => {
      end();
      held();
    }, holdMs);
    pressed();
  };

  button.addEventListener('pointerdown', (event) => {
    if (event.isTrusted && event.isPrimary && event.button === 0) press(event.pointerId);
  });
  document.addEventListener('pointermove', (event) => {
    if (event.pointerId === presser && !isInside(button, event)) cancel();
  });
  for (const type of ['pointerup', 'pointercancel'] as const)
    document.addEventListener(type, (event) => {
      if (event.pointerId === presser) cancel();
    });
  button.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' && event.key !== ' ') return;
    event.preventDefault();
    if (event.isTrusted && !event.repeat) press('key');
  });
  button.addEventListener('keyup', () => {
    if (presser === 'key') cancel();
  });
  button.addEventListener('blur', cancel);
  window.addEventListener('blur', cancel);
  return { cancel };
}

import { fromDriver } from '#drivers/kit/from-driver.ts';
import type { TurnChannel, TurnWords } from '#drivers/voice/turn-channel.ts';
import type { EpochMs, Milliseconds } from '#machines/kit/units.ts';
import type { OverlayCommand, OverlayDriver, OverlayFact, OverlayView } from '#machines/voice/events.ts';

import type { OverlayContent } from './overlay-script.ts';
import type { OverlayPage, OverlayTouch, VoiceOverlay, VoiceOverlayDeps } from './voice-overlay.ts';

export interface UseOverlayDeps {
  /** Milliseconds of the monotonic clock. */
  readonly elapsed: () => Milliseconds;
  readonly now: () => EpochMs;
  /** Follows whether a screen is lit, at once and with each change, until the returned function is called. */
  readonly followLight: (onLight: (isLit: boolean) => void) => () => void;
  /** What is said, which goes to the screen alone. */
  readonly channel: Pick<TurnChannel, 'onWords'>;
}

/** What the driver of the browser calls. */
interface AttachedOverlay {
  /** True if the dashboard's Assist button leads to the panel's voice. */
  readonly hasAssist: () => boolean;
  /**
   * The dashboard's Assist button asks, or a card with `action: assist`; null for no particular pipeline. `isTouched`
   * is false if no person touched the page shortly before.
   */
  readonly onAssist: (pipelineId: string | null, isTouched: boolean) => void;
  /** The browser has ended. */
  readonly detach: () => void;
}

/** A page that can be drawn over. */
interface OverlayBrowser extends OverlayPage {
  /** Called when `hasAssist` has another value. */
  readonly onAssistChanged: () => void;
}

/** Joins the driver that shows a turn with the browser that happens to run. */
export interface UseOverlay {
  readonly driver: OverlayDriver;
  /** Called when a page is ready; what `load` brings draws over it until it is detached, once there is something. */
  readonly attach: (
    browser: OverlayBrowser,
    load: () => Promise<(deps: VoiceOverlayDeps) => VoiceOverlay>,
  ) => AttachedOverlay;
}

/** Longest time from the touch of a button of the dashboard to what the page says of it: a finger that stays on it. */
const CLICK_MS: Milliseconds = 500;
/** Most characters of what is said or answered that are shown; two lines and six are seen. */
const WORDS_LIMIT = 500;

const tinted: readonly string[] = ['listening', 'processing', 'responding'] satisfies readonly OverlayView['phase'][];

/** What the page shows of this view; null for nothing. */
function contentOf(view: OverlayView | null, words: TurnWords | null): OverlayContent | null {
  if (view === null) return null;
  const { button, phase, hue, notice } = view;
  const isTinted = tinted.includes(phase);
  if (!button && !isTinted && notice === null) return null;
  const shown = view.words && isTinted ? words : null;
  return {
    button,
    phase,
    hue,
    heard: shown?.heard?.slice(0, WORDS_LIMIT) ?? null,
    answer: (shown?.answer ?? notice)?.slice(0, WORDS_LIMIT) ?? null,
  };
}

/** The overlay on a real screen. It is made at the start, so what draws is loaded when there is something to draw. */
export function createUseOverlay({ elapsed, now, followLight, channel }: UseOverlayDeps): UseOverlay {
  let report: ((fact: OverlayFact) => void) | null = null;
  let view: OverlayView | null = null;
  let words: TurnWords | null = null;
  let unfollowWords: (() => void) | null = null;
  let isLit = true;
  /** Since when it is lit: an earlier touch is the one that lit it. */
  let litAt: EpochMs = Number.NEGATIVE_INFINITY;
  let attached: { readonly update: () => void; readonly onAssistChanged: () => void } | null = null;

  const isWaking = (touchedAt: EpochMs): boolean => !isLit || touchedAt <= litAt;
  const followWords = (): void => {
    const isWanted = view?.words === true && attached !== null;
    if (isWanted && unfollowWords === null)
      unfollowWords = channel.onWords((next) => {
        words = next;
        attached?.update();
      });
    else if (!isWanted && unfollowWords !== null) {
      unfollowWords();
      unfollowWords = null;
      words = null;
    }
  };
  const take = (next: OverlayView | null): void => {
    const isOtherAssist = (view?.assist === true) !== (next?.assist === true);
    view = next;
    followWords();
    attached?.update();
    if (isOtherAssist) attached?.onAssistChanged();
  };

  return {
    driver: fromDriver<OverlayCommand, undefined, OverlayFact>((scope) => {
      report = scope.send;
      const unfollowLight = followLight((next) => {
        if (next && !isLit) litAt = now();
        isLit = next;
      });
      scope.onEvent((command) => take(command.view));
      return () => {
        unfollowLight();
        if (report !== scope.send) return;
        report = null;
        isLit = true;
        take(null);
      };
    }),
    attach: (browser, load) => {
      let overlay: VoiceOverlay | null = null;
      let isLoading = false;
      let isOver = false;
      let isPressed = false;
      const onTouch = (touch: OverlayTouch, touchedAt: EpochMs): void => {
        const at = elapsed();
        if (touch === 'up') {
          if (isPressed) report?.({ type: 'overlay.released', at });
          isPressed = false;
        } else if (!isWaking(touchedAt)) {
          if (touch === 'down') isPressed = true;
          report?.({ type: touch === 'down' ? 'overlay.pressed' : 'overlay.dismissed', at });
        }
      };
      const bring = async (): Promise<void> => {
        isLoading = true;
        const open = await load().catch(() => null);
        isLoading = false;
        if (open === null || isOver) return;
        overlay = open({ ...browser, now, onTouch });
        overlay.show(contentOf(view, words));
      };
      const update = (): void => {
        const content = contentOf(view, words);
        if (overlay !== null) overlay.show(content);
        else if (content !== null && !isLoading) void bring();
      };
      const own = { update, onAssistChanged: browser.onAssistChanged };
      attached = own;
      followWords();
      update();
      return {
        hasAssist: () => view?.assist === true,
        onAssist: (pipelineId, isTouched) => {
          if (view?.assist === true && !isWaking(now() - CLICK_MS))
            report?.({ type: 'overlay.asked', pipelineId, isTouched, at: elapsed() });
        },
        detach: () => {
          isOver = true;
          overlay?.end();
          if (attached !== own) return;
          attached = null;
          followWords();
        },
      };
    },
  };
}

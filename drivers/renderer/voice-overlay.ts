import type { EpochMs, Milliseconds } from '#machines/kit/units.ts';

import { at, numberAt, textAt } from './json-fields.ts';
import { NOTHING, OVERLAY_BINDING, OVERLAY_WORLD, type OverlayContent, showIn } from './overlay-script.ts';
import { mainFrameIn, type PageSession } from './session.ts';

/** The dashboard's page, over which the overlay is drawn. */
export interface OverlayPage {
  readonly page: PageSession;
  /** Home Assistant's origin: only over its pages there is a button, since the panel's own have theirs. */
  readonly origin: string | null;
  readonly mainFrame: () => string;
}

/** A finger or key on the button that comes and goes, or a touch of the edge. */
export type OverlayTouch = 'down' | 'up' | 'edge';

export interface VoiceOverlayDeps extends OverlayPage {
  /** Called with the moment of the touch itself, which may have waited in a busy page. */
  readonly onTouch: (touch: OverlayTouch, touchedAt: EpochMs) => void;
  readonly now: () => EpochMs;
}

/** The overlay of one page. */
export interface VoiceOverlay {
  /** Shows this, also after each navigation; null for nothing. */
  readonly show: (content: OverlayContent | null) => void;
  /** The browser is gone. */
  readonly end: () => void;
}

/** Longest wait for the page to take what it is told; one that loads or hangs takes nothing. */
const CALL_MS: Milliseconds = 2000;
/** Pause before a page that took nothing is told again. */
const RETRY_MS: Milliseconds = 1000;
/** Most touches in one second; a person causes fewer than ten. */
const TOUCHES_LIMIT = 20;
const SECOND_MS: Milliseconds = 1000;
const MESSAGE = /^(down|up|edge) (\d{1,15})$/;

interface World {
  /** The number that messages carry; a new process counts from the start again. */
  readonly number: number;
  readonly unique: string;
}

/**
 * Draws in an isolated world of the main frame. Its binding exists in that world alone, so no script of the page, of a
 * card or of a frame can call it, and what is shown never reaches them through it. Until something is shown, the page
 * is told nothing.
 */
export function openVoiceOverlay({ page, origin, mainFrame, onTouch, now }: VoiceOverlayDeps): VoiceOverlay {
  let wanted: OverlayContent | null = null;
  let isBound = false;
  let world: World | null = null;
  let isDown = false;
  let over = false;
  let isApplying = false;
  let isStale = false;
  let retry: NodeJS.Timeout | undefined;
  let second: { since: Milliseconds; touches: number } = { since: Number.NEGATIVE_INFINITY, touches: 0 };

  const lose = (): void => {
    world = null;
    if (!isDown) return;
    isDown = false;
    onTouch('up', now());
  };
  const draw = async (content: OverlayContent): Promise<boolean> => {
    if (world === null)
      await page.call('Page.createIsolatedWorld', { frameId: mainFrame(), worldName: OVERLAY_WORLD }, CALL_MS);
    const here = world;
    if (here === null) return false;
    const { known, first } = showIn(content, origin);
    const options = { context: here.unique, withinMs: CALL_MS };
    const taken = await page.evaluate(known, options);
    // Null where the script is unknown; undefined where the page did not answer, which may take it later.
    return (taken === null ? await page.evaluate(first, options) : taken) === true;
  };
  const applyOnce = async (): Promise<boolean> => {
    if (over) return true;
    if (wanted === null) {
      if (!isBound) return true;
      isBound = false;
      if (world !== null) await draw(NOTHING);
      await page.call('Runtime.removeBinding', { name: OVERLAY_BINDING }, CALL_MS);
      return true;
    }
    if (!isBound) {
      const params = { name: OVERLAY_BINDING, executionContextName: OVERLAY_WORLD };
      isBound = (await page.call('Runtime.addBinding', params, CALL_MS)).ok;
    }
    return isBound && draw(wanted);
  };
  /** One after the other, the newest alone: a page that hangs piles up nothing. */
  const apply = async (): Promise<void> => {
    isStale = true;
    if (isApplying) return;
    isApplying = true;
    clearTimeout(retry);
    let isTaken = true;
    while (isStale) {
      isStale = false;
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      isTaken = await applyOnce();
    }
    isApplying = false;
    if (!isTaken && !over && wanted !== null) retry = setTimeout(() => void apply(), RETRY_MS);
  };

  const isTooMany = (): boolean => {
    const moment = now();
    if (moment - second.since >= SECOND_MS || moment < second.since) second = { since: moment, touches: 0 };
    second.touches += 1;
    return second.touches > TOUCHES_LIMIT;
  };
  const onMessage = (payload: string): void => {
    const [, word, touchedAt] = MESSAGE.exec(payload) ?? [];
    if (word === 'up') {
      if (!isDown) return;
      isDown = false;
      onTouch('up', Number(touchedAt));
    } else if ((word === 'down' || word === 'edge') && !isTooMany()) {
      if (word === 'down') isDown = true;
      onTouch(word, Number(touchedAt));
    }
  };
  const onContext = (params: unknown): void => {
    const number = numberAt(params, 'context', 'id');
    const unique = textAt(100, params, 'context', 'uniqueId');
    const isOwn =
      at(params, 'context', 'name') === OVERLAY_WORLD &&
      at(params, 'context', 'auxData', 'isDefault') === false &&
      at(params, 'context', 'auxData', 'frameId') === mainFrame();
    if (isOwn && number !== null && unique !== null) world = { number, unique };
  };
  page.listen(({ method, params }) => {
    if (over) return;
    if (method === 'Runtime.executionContextCreated') onContext(params);
    else if (method === 'Runtime.executionContextsCleared' || method === 'Inspector.targetCrashed') lose();
    else if (method === 'Runtime.executionContextDestroyed') {
      if (numberAt(params, 'executionContextId') === world?.number) lose();
    } else if (method === 'Page.frameNavigated') {
      if (wanted !== null && mainFrameIn(params) !== null) void apply();
    } else if (method === 'Runtime.bindingCalled' && at(params, 'name') === OVERLAY_BINDING) {
      if (world !== null && numberAt(params, 'executionContextId') === world.number)
        onMessage(textAt(64, params, 'payload') ?? '');
    }
  });

  return {
    show: (content) => {
      if (content === null && wanted === null) return;
      wanted = content;
      void apply();
    },
    end: () => {
      over = true;
      clearTimeout(retry);
      lose();
    },
  };
}

import type { BrowserInput, DisplayRoute, PageAppearance } from '#machines/renderer/events.ts';

import type { Bridge } from './bridge.ts';
import { at, numberAt, textAt } from './json-fields.ts';
import { UNSEEN_SIZE } from './launch-flags.ts';
import { documentStart, headerSwitch, APPLY_THEME } from './page-script.ts';
import type { PageSession } from './session.ts';
import { coverScreen, readWindow, SEEN_SIZE } from './window.ts';

/** Zoom, theme, header and kiosk mode of one page. */
export interface Appearance {
  /** Applies it to the open page and to later ones. */
  readonly apply: (next: PageAppearance) => Promise<void>;
  /** Repeats what Home Assistant's page forgets with each load. */
  readonly reapply: () => void;
  /** Resizes the page if the window has changed (a display rotated or plugged in). */
  readonly fit: () => Promise<void>;
}

interface Size {
  readonly width: number;
  readonly height: number;
  readonly ratio: number;
  /** True if the window is wider than the screen, so that the page has to be told. */
  readonly isCut: boolean;
}

const UNSEEN: Size = { ...UNSEEN_SIZE, ratio: 1, isCut: false };

export function openAppearance(
  page: PageSession,
  bridge: Bridge,
  route: DisplayRoute,
  { origin, ownOrigin }: Pick<BrowserInput, 'origin' | 'ownOrigin'>,
): Appearance {
  let applied: PageAppearance | null = null;
  let script: string | null = null;
  let window = '';
  let isCut = false;

  const windowNow = async (): Promise<string> => JSON.stringify(await readWindow(page));
  /**
   * Size of what is seen of the window, in its own pixels, measured with the override off, which the page would report
   * otherwise.
   */
  const measure = async (): Promise<Size | null> => {
    if (route === 'headless') return UNSEEN;
    await page.call('Emulation.clearDeviceMetricsOverride');
    if (route === 'x11') await coverScreen(page);
    const seen = await page.evaluate(SEEN_SIZE);
    const width = numberAt(seen, 'width');
    const height = numberAt(seen, 'height');
    const ratio = numberAt(seen, 'ratio');
    return width !== null && height !== null && ratio !== null && width > 0 && height > 0
      ? { width, height, ratio, isCut: at(seen, 'isCut') === true }
      : null;
  };
  const zoom = async (percent: number): Promise<void> => {
    const size = await measure();
    window = await windowNow();
    isCut = size?.isCut === true;
    if (size === null || (percent === 100 && route !== 'headless' && !isCut)) return;
    const factor = percent / 100;
    const [width, height] = [Math.round(size.width / factor), Math.round(size.height / factor)];
    await page.call('Emulation.setDeviceMetricsOverride', {
      width,
      height,
      screenWidth: width,
      screenHeight: height,
      deviceScaleFactor: size.ratio * factor,
      mobile: false,
    });
  };
  const setTheme = (theme: PageAppearance['theme']): Promise<unknown> =>
    page.call('Emulation.setEmulatedMedia', {
      features: theme === 'follow' ? [] : [{ name: 'prefers-color-scheme', value: theme }],
    });
  /** The script of later documents knows if the header is hidden, so that it never flashes up. */
  const placeScript = async (headerHidden: boolean): Promise<void> => {
    const before = script;
    const answer = await page.call('Page.addScriptToEvaluateOnNewDocument', {
      source: documentStart(origin, ownOrigin, headerHidden),
    });
    script = answer.ok ? textAt(100, answer.value, 'identifier') : before;
    if (before !== null && script !== before)
      await page.call('Page.removeScriptToEvaluateOnNewDocument', { identifier: before });
  };
  const reapply = (): void => {
    const contextId = bridge.context();
    if (applied === null || contextId === null) return;
    const { kiosk } = applied;
    void page.evaluate(APPLY_THEME, { context: contextId });
    void bridge.command('kiosk_mode/set', { enable: kiosk }).then((taken) => {
      // A frontend whose bus does not know the command listens for this event.
      if (!taken.ok)
        void page.evaluate(`dispatchEvent(new CustomEvent('hass-kiosk-mode', { detail: { enable: ${kiosk} } }))`, {
          context: contextId,
        });
    });
  };

  return {
    reapply,
    fit: async () => {
      if (applied === null || route === 'headless') return;
      if (applied.zoomPercent === 100 && !isCut) {
        if (route === 'x11') await coverScreen(page, 0);
      } else if ((await windowNow()) !== window) await zoom(applied.zoomPercent);
    },
    apply: async (next) => {
      const before = applied;
      applied = next;
      if (before?.fullscreen !== next.fullscreen) {
        await placeScript(next.fullscreen);
        const contextId = bridge.context();
        if (contextId !== null) await page.evaluate(headerSwitch(next.fullscreen), { context: contextId });
      }
      if (before?.theme !== next.theme) await setTheme(next.theme);
      if (before?.zoomPercent !== next.zoomPercent) await zoom(next.zoomPercent);
      if (before?.kiosk !== next.kiosk) reapply();
    },
  };
}

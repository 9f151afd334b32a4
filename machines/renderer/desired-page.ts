import type { SettingValue } from '../settings/events.ts';
import type { RendererMode } from './events.ts';
import type { DesiredPage, ThemePolicy } from './facts.ts';
import { packageOf } from './options.ts';
import { ownField } from '../kit/own-field.ts';

/** Inputs of the desired page beside the settings. */
export interface PageSurroundings {
  readonly mode: RendererMode;
  readonly simulated: boolean;
  /** TCP port of the panel's own pages. */
  readonly port: number;
}

const themes: Readonly<Record<string, ThemePolicy>> = { Dark: 'dark', Light: 'light', Ambient: 'ambient' };

const numberOf = (value: SettingValue | null | undefined, otherwise: number): number =>
  typeof value === 'number' ? value : otherwise;
const textOf = (value: SettingValue | null | undefined): string => (typeof value === 'string' ? value : '');

/** Derives the desired state of the dashboard from the settings and the command line. */
export const desiredPageOf = (
  values: Readonly<Record<string, SettingValue | null>>,
  { mode, simulated, port }: PageSurroundings,
): DesiredPage => ({
  mode,
  simulated,
  program: packageOf(values['dashboard_package']),
  origin: textOf(values['ha_url']) === '' ? null : textOf(values['ha_url']),
  home: textOf(values['home_dashboard']),
  ownOrigin: `http://127.0.0.1:${port}`,
  appearance: {
    zoomPercent: numberOf(values['dashboard_zoom'], 100),
    theme: ownField(themes, textOf(values['dashboard_theme'])) ?? 'follow',
    kiosk: values['dashboard_native_kiosk'] !== false,
    fullscreen: values['dashboard_fullscreen'] !== false,
  },
  idleReturnMin: numberOf(values['dashboard_idle_return_min'], 0),
});

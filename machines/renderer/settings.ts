import { z } from 'zod';
import type { SettingMeta } from '../kit/setting.ts';
import { foreignPackages } from './options.ts';

/** Settings of the dashboard's appearance. */
export const rendererSettings = z.object({
  dashboard_idle_return_min: z
    .int()
    .min(0)
    .max(1440)
    .default(0)
    .meta({
      title: 'Return to the home dashboard after',
      help: 'How long the dashboard must be untouched before it returns home; 0 never returns.',
      group: 'dashboard',
      tier: 'basic',
      scope: 'portable',
      unit: 'min',
    } satisfies SettingMeta),
  dashboard_zoom: z
    .int()
    .min(50)
    .max(300)
    .default(100)
    .meta({
      title: 'Zoom',
      help: 'How large the dashboard is drawn.',
      group: 'dashboard',
      tier: 'basic',
      scope: 'device',
      unit: '%',
    } satisfies SettingMeta),
  dashboard_theme: z
    .enum(['Follow Home Assistant', 'Dark', 'Light', 'Ambient'])
    .default('Follow Home Assistant')
    .meta({
      title: 'Light or dark dashboard',
      help: 'Ambient goes by the light of the room and needs automatic brightness. A theme that the signed-in user chose in Home Assistant wins over this.',
      group: 'dashboard',
      tier: 'basic',
      scope: 'portable',
      aliases: {
        follow: 'Follow Home Assistant',
        follow_home_assistant: 'Follow Home Assistant',
        'follow-home-assistant': 'Follow Home Assistant',
        auto: 'Follow Home Assistant',
      },
    } satisfies SettingMeta),
  dashboard_fullscreen: z
    .boolean()
    .default(true)
    .meta({
      title: 'Hide the header',
      help: 'Hides the bar with the names of the views, so that the dashboard fills the screen.',
      group: 'dashboard',
      tier: 'advanced',
      scope: 'portable',
    } satisfies SettingMeta),
  dashboard_native_kiosk: z
    .boolean()
    .default(true)
    .meta({
      title: 'Hide the sidebar and the edit controls',
      help: "Uses Home Assistant's own kiosk mode.",
      group: 'dashboard',
      tier: 'advanced',
      scope: 'portable',
    } satisfies SettingMeta),
  dashboard_package: z
    .enum(['builtin', ...foreignPackages])
    .default('builtin')
    .meta({
      title: 'What shows the dashboard',
      help: 'The built-in renderer can be navigated, watched and repaired; another program gets links and restarts only.',
      group: 'dashboard',
      tier: 'advanced',
      scope: 'device',
      aliases: { '': 'builtin' },
      protects: { operation: 'DISPLAY_CONFIGURATION' },
    } satisfies SettingMeta),
});

import { z } from 'zod';
import { setting, wholeNumber } from '../kit/fields.ts';
import { foreignPackages } from './options.ts';

/** Settings of the dashboard's appearance. */
export const rendererSettings = z.object({
  dashboard_idle_return_min: setting(wholeNumber({ min: 0, max: 1440 }), 0, {
    title: 'Return to the home dashboard after',
    help: 'How long the dashboard must be untouched before it returns home; 0 never returns.',
    group: 'dashboard',
    tier: 'basic',
    scope: 'portable',
    unit: 'min',
  }),
  dashboard_zoom: setting(wholeNumber({ min: 50, max: 300 }), 100, {
    title: 'Zoom',
    help: 'How large the dashboard is drawn.',
    group: 'dashboard',
    tier: 'basic',
    scope: 'device',
    unit: '%',
  }),
  dashboard_theme: setting(z.enum(['Follow Home Assistant', 'Dark', 'Light', 'Ambient']), 'Follow Home Assistant', {
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
  }),
  dashboard_fullscreen: setting(z.boolean(), true, {
    title: 'Hide the header',
    help: 'Hides the bar with the names of the views, so that the dashboard fills the screen.',
    group: 'dashboard',
    tier: 'advanced',
    scope: 'portable',
  }),
  dashboard_native_kiosk: setting(z.boolean(), true, {
    title: 'Hide the sidebar and the edit controls',
    help: "Uses Home Assistant's own kiosk mode.",
    group: 'dashboard',
    tier: 'advanced',
    scope: 'portable',
  }),
  dashboard_package: setting(z.enum(['builtin', ...foreignPackages]), 'builtin', {
    title: 'What shows the dashboard',
    help: 'The built-in renderer can be navigated, watched and repaired; another program gets links and restarts only.',
    group: 'dashboard',
    tier: 'advanced',
    scope: 'device',
    aliases: { '': 'builtin' },
    protects: { operation: 'DISPLAY_CONFIGURATION' },
  }),
});

import { capabilitiesOf, headline, inField } from '../kit/capability.ts';
import { subsystem } from '../subsystem.ts';
import { rows } from './entities.ts';
import type { RendererActor } from './events.ts';
import { history } from './history.ts';
import { shownRenderer } from './phase.ts';
import { rendererSettings } from './settings.ts';
import { status } from './status.ts';
import { judgeRenderer } from './verdict.ts';

/** Reasons of a home dashboard that another page replaces, since it keeps failing. */
const replaced = ['start-page-instead', 'calm-page-instead'];

/** Manifest of the renderer. */
export const renderer = subsystem<RendererActor>()({
  ids: ['renderer'],
  group: 'view',
  supervisionGroups: [{ id: 'view', after: 'panel', strategy: 'one_for_one', onGiveUp: 'park' }],
  settings: { after: 'home_dashboard', object: rendererSettings },
  entities: rows,
  capabilities: capabilitiesOf<RendererActor>([
    {
      id: 'dashboard',
      title: 'Dashboard',
      actor: 'renderer',
      after: 'keyboard',
      pages: {
        ...inField('ha_url', ['platform-never-answered', 'certificate-other-name']),
        ...inField('home_dashboard', [...replaced, 'home-missing']),
      },
      headlines: {
        ...headline('Check the address of Home Assistant', ['platform-never-answered', 'certificate-other-name']),
        ...headline('Look at your home dashboard', replaced),
        'home-missing': 'Choose another home dashboard',
        'certificate-untrusted': 'Trust the certificate of Home Assistant',
        'browser-not-installed': 'Install a browser',
        'no-display': 'Give the dashboard a screen',
        'keeps-failing': 'Restart this machine',
        '*': 'Get the dashboard to show',
      },
      judge: (snapshot) => judgeRenderer(shownRenderer(snapshot)),
    },
  ]),
  status,
  historyKinds: [{ kind: 'dashboard', about: 'dashboard', icon: 'mdi:view-dashboard-outline' }],
  history,
  operations: {
    DASHBOARD_RELOAD: { in: 'hardened', title: 'Reload the dashboard' },
    DASHBOARD_STORAGE_CLEAR: { in: 'hardened', title: 'Clear what Home Assistant’s pages stored here' },
    DISPLAY_CONFIGURATION: { in: 'hardened', title: 'Change what shows the dashboard' },
  },
  // Codes and statuses as in panel-assistant.
  problems: { 'screenshot-unavailable': 503, 'tap-failed': 502, 'completion-unknown': 504 },
});

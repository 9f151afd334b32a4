import { capabilitiesOf, onPage, ownVerdict } from '../kit/capability.ts';
import { subsystem } from '../subsystem.ts';
import { rows } from './entities.ts';
import type { RendererActor } from './events.ts';
import { history } from './history.ts';
import { rendererSettings } from './settings.ts';
import { diag, status } from './status.ts';

/** What shows the dashboard. */
export const renderer = subsystem<RendererActor>()({
  ids: ['renderer'],
  group: 'view',
  settings: { order: 40, object: rendererSettings },
  entities: rows,
  capabilities: capabilitiesOf<RendererActor>([
    {
      id: 'dashboard',
      title: 'Dashboard',
      actor: 'renderer',
      order: 40,
      pages: onPage('/configure', [
        'platform-never-answered',
        'certificate-other-name',
        'start-page-instead',
        'calm-page-instead',
      ]),
      judge: ownVerdict,
    },
  ]),
  status,
  diag,
  history,
  // Named and numbered as panel-assistant's.
  problems: { 'screenshot-unavailable': 503, 'tap-failed': 502, 'completion-unknown': 504 },
});

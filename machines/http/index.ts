import { subsystem } from '../subsystem.ts';
import type { HttpActor } from './events.ts';
import { httpSettings } from './settings.ts';
import { status } from './status.ts';

/** The web server. */
export const http = subsystem<HttpActor>()({
  ids: ['http'],
  group: 'edge',
  settings: { order: 115, object: httpSettings },
  status,
});

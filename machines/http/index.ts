import { subsystem } from '../subsystem.ts';
import type { HttpActor } from './events.ts';
import { httpSettings } from './settings.ts';
import { status } from './status.ts';

export const http = subsystem<HttpActor>()({
  ids: ['http'],
  group: 'edge',
  tags: [{ id: 'api', about: 'This document.', after: 'voice' }],
  supervisionGroups: [{ id: 'edge', after: 'base', strategy: 'rest_for_one', onGiveUp: 'escalate' }],
  settings: { after: 'temperature_offset', object: httpSettings },
  status,
});

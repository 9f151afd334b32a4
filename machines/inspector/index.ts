import { subsystem } from '../subsystem.ts';
import type { InspectorActor } from './events.ts';

export const inspector = subsystem<InspectorActor>()({
  ids: ['inspector'],
  group: 'edge',
  tags: [{ id: 'inspector', about: 'The inside of the agent; only available with `--inspect`.', after: 'simulator' }],
});

import { subsystem } from '../subsystem.ts';
import type { InspectorActor } from './events.ts';

/** The inspector's viewers. */
export const inspector = subsystem<InspectorActor>()({
  ids: ['inspector'],
  group: 'edge',
  tags: [{ id: 'inspector', about: 'The agent from inside; only there with `--inspect`.', after: 'simulator' }],
});

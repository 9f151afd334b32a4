import { z } from 'zod';

import { once } from '../kit/once.ts';
import { TreeNode } from '../kit/status.ts';

/** The state of a machine: a name, or nested names. */
const StateValue = once(() =>
  z
    .union([z.string(), z.record(z.string(), z.unknown())])
    .meta({ description: 'A state by its name; a state with states inside as an object of them.' }),
);

/** One transition out of a state. */
export const ChartEdge = once(() =>
  z
    .object({
      kind: z.enum(['event', 'after', 'always', 'done', 'error']).meta({ description: 'What triggers it.' }),
      label: z.string().meta({ description: 'The event, the delay by its name, or the child that ended.' }),
      guard: z.string().nullable().meta({ description: 'The condition; null without one.' }),
      targets: z.array(z.string()).meta({ description: 'Ids of the states that are entered; empty if it stays.' }),
    })
    .meta({ id: 'ChartEdge', description: 'One transition out of a state.' }),
);
export type ChartEdge = z.infer<ReturnType<typeof ChartEdge>>;

/** One state of a machine. */
export const ChartNode = once(() =>
  z
    .object({
      id: z.string().meta({ description: 'Unique in its chart.' }),
      name: z.string().meta({ description: 'Its name within its parent state.' }),
      kind: z.enum(['atomic', 'compound', 'parallel', 'final', 'history']).meta({ description: 'As in XState.' }),
      initial: z.boolean().meta({ description: 'Whether it is the initial state of its parent.' }),
      runs: z.array(z.string()).meta({ description: 'Children that live as long as this state.' }),
      edges: z.array(ChartEdge()).meta({ description: 'Its transitions.' }),
      get states() {
        return z.array(ChartNode()).meta({ description: 'Its child states.' });
      },
    })
    .meta({ id: 'ChartNode', description: 'One state of a machine, with its child states.' }),
);
export type ChartNode = z.infer<ReturnType<typeof ChartNode>>;

/** One part of the agent with its machine. */
export const MachineFacts = once(() =>
  z
    .object({
      id: z.string().meta({ description: 'Name of the part.' }),
      value: StateValue().nullable().meta({ description: 'Null while it does not run.' }),
      chart: ChartNode().nullable().meta({ description: 'Null for a part without states.' }),
      cut: z.boolean().meta({ description: 'Whether the chart was too large and is incomplete.' }),
    })
    .meta({
      id: 'Machine',
      description: 'One part of the agent: its states, its transitions, and its current state.',
    }),
);
export type MachineFacts = z.infer<ReturnType<typeof MachineFacts>>;

/** The answer of `GET /api/v1/dev/machines`. */
export const Machines = once(() =>
  z
    .object({ tree: TreeNode(), machines: z.array(MachineFacts()).meta({ description: 'The machine of each part.' }) })
    .meta({
      id: 'Machines',
      description: 'The tree of parts, and the machine of each; only names of states and events, never their contents.',
    }),
);
export type Machines = z.infer<ReturnType<typeof Machines>>;

/** One event that an actor received, and the state after it. */
export const EventRecord = once(() =>
  z
    .object({
      n: z.int().meta({ description: 'Incremented with every record.' }),
      actor: z.string().meta({ description: 'The actor that received it.' }),
      of: z.string().nullable().meta({ description: 'The part that the actor is a child of; null for a part itself.' }),
      event: z.string().meta({ description: 'Its name.' }),
      value: StateValue().nullable().meta({ description: 'The state after it; null if there is none.' }),
      at: z.int().meta({ description: 'Milliseconds since the Unix epoch.' }),
    })
    .meta({
      id: 'EventRecord',
      description: 'One event that an actor received, and the state after it; never the contents of the event.',
    }),
);
export type EventRecord = z.infer<ReturnType<typeof EventRecord>>;

/** One frame of `GET /api/v1/dev/stream`. */
export const EventFrame = once(() =>
  z
    .object({
      records: z.array(EventRecord()).meta({ description: 'Oldest first.' }),
      dropped: z.int().meta({ description: 'Records that were overwritten before this viewer got them.' }),
    })
    .meta({ id: 'EventFrame', description: 'What happened since the last frame, oldest first.' }),
);
export type EventFrame = z.infer<ReturnType<typeof EventFrame>>;

import { z } from 'zod';

import { once } from '../kit/once.ts';
import { TreeNode } from '../kit/status.ts';

/** The state of a machine: a name, or names within names. */
const StateValue = once(() =>
  z
    .union([z.string(), z.record(z.string(), z.unknown())])
    .meta({ description: 'A state by its name; a state with states inside as an object of them.' }),
);

/** One way out of a state. */
export const ChartEdge = once(() =>
  z
    .object({
      kind: z.enum(['event', 'after', 'always', 'done', 'error']).meta({ description: 'What is waited for.' }),
      label: z.string().meta({ description: 'The event, the delay by its name, or the child that ended.' }),
      guard: z.string().nullable().meta({ description: 'What has to hold; null without one.' }),
      targets: z.array(z.string()).meta({ description: 'Ids of the states that are entered; empty where it stays.' }),
    })
    .meta({ id: 'ChartEdge', description: 'One way out of a state.' }),
);
export type ChartEdge = z.infer<ReturnType<typeof ChartEdge>>;

/** One state of a machine. */
export const ChartNode = once(() =>
  z
    .object({
      id: z.string().meta({ description: 'Unique in its chart.' }),
      name: z.string().meta({ description: 'As the state around it names it.' }),
      kind: z.enum(['atomic', 'compound', 'parallel', 'final', 'history']).meta({ description: 'As XState has it.' }),
      initial: z.boolean().meta({ description: 'Whether it is the first one of the state around it.' }),
      runs: z.array(z.string()).meta({ description: 'Children that live as long as this state.' }),
      edges: z.array(ChartEdge()).meta({ description: 'Its ways out.' }),
      get states() {
        return z.array(ChartNode()).meta({ description: 'The states inside it.' });
      },
    })
    .meta({ id: 'ChartNode', description: 'One state of a machine, with the states inside it.' }),
);
export type ChartNode = z.infer<ReturnType<typeof ChartNode>>;

/** One part of the agent with its machine. */
export const MachineFacts = once(() =>
  z
    .object({
      id: z.string().meta({ description: 'Name of the part.' }),
      value: StateValue().nullable().meta({ description: 'Null while it does not run.' }),
      chart: ChartNode().nullable().meta({ description: 'Null for a part without states.' }),
      cut: z.boolean().meta({ description: 'Whether the chart was too large and is not whole.' }),
    })
    .meta({
      id: 'Machine',
      description: 'One part of the agent: its states, the ways between them, and the state it is in.',
    }),
);
export type MachineFacts = z.infer<ReturnType<typeof MachineFacts>>;

/** The answer of `GET /api/v1/dev/machines`. */
export const Machines = once(() =>
  z
    .object({ tree: TreeNode(), machines: z.array(MachineFacts()).meta({ description: 'The machine of each part.' }) })
    .meta({
      id: 'Machines',
      description:
        'The tree of parts, and the machine of each; names of states and events alone, never what they carry.',
    }),
);
export type Machines = z.infer<ReturnType<typeof Machines>>;

/** One event that an actor received, and the state after it. */
export const EventRecord = once(() =>
  z
    .object({
      n: z.int().meta({ description: 'Raised by one with every record.' }),
      actor: z.string().meta({ description: 'Who received it.' }),
      of: z.string().nullable().meta({ description: 'The part that the actor is a child of; null for a part itself.' }),
      event: z.string().meta({ description: 'Its name.' }),
      value: StateValue().nullable().meta({ description: 'The state after it; null where there is none.' }),
      at: z.int().meta({ description: 'Milliseconds since the Unix epoch.' }),
    })
    .meta({
      id: 'EventRecord',
      description: 'One event that an actor received, and the state after it; never what the event carried.',
    }),
);
export type EventRecord = z.infer<ReturnType<typeof EventRecord>>;

/** One frame of `GET /api/v1/dev/stream`. */
export const EventFrame = once(() =>
  z
    .object({
      records: z.array(EventRecord()).meta({ description: 'The oldest first.' }),
      dropped: z.int().meta({ description: 'Records that were overwritten before this viewer got them.' }),
    })
    .meta({ id: 'EventFrame', description: 'What happened since the last frame, oldest first.' }),
);
export type EventFrame = z.infer<ReturnType<typeof EventFrame>>;

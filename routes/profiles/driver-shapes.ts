import { z } from 'zod';
import { Evidence, Risk, Row, Standing } from './shapes.ts';
import { once } from '#machines/kit/once.ts';

/** The options of the agent's drivers. */
export const Drivers = once(() =>
  z
    .object({
      drivers: z
        .array(
          z.object({
            id: z.string().meta({ description: 'Its name in profiles, such as `screen.auto`.' }),
            kind: z.string().meta({ description: 'The slot of a profile that it fits.' }),
            title: z.string().meta({ description: 'Its name for people.' }),
            summary: z.string().meta({ description: 'What it does, one sentence.' }),
            system: z.string().meta({ description: 'The operating system that it is for.' }),
            options: z.looseObject({}).meta({ description: 'JSON Schema of its options.' }),
            needs: z
              .object({
                groups: z.array(z.string()).meta({ description: 'Groups that the agent’s user needs.' }),
                packages: z.array(z.string()).meta({ description: 'Packages of the system.' }),
                kernel: z.array(z.string()).meta({ description: 'Paths that the kernel must offer.' }),
                udev: z.array(z.string()).meta({ description: 'Device rules, verbatim.' }),
              })
              .meta({ description: 'What it requires of the machine.' }),
            risks: z.array(Risk()).meta({ description: 'What it can do to the panel.' }),
            probe: z.string().meta({ description: 'How it proves its device.' }),
          }),
        )
        .meta({ description: 'One for each way to control a part.' }),
    })
    .meta({ id: 'Drivers', description: 'Every driver of this build.' }),
);

/** The active profile, and which of its devices are there. */
export const Report = once(() =>
  Standing()
    .and(
      z.object({
        version: z.string().meta({ description: 'Of Sconce.' }),
        profile: z.union([Row(), z.null()]).meta({ description: 'The active one; null if it has no revision.' }),
        document: z.looseObject({}).meta({ description: 'The profile as it is understood.' }),
        evidence: z.array(Evidence()).meta({ description: 'One for each driver of the profile.' }),
      }),
    )
    .meta({ id: 'ProfileReport', description: 'The active profile with its evidence, for its author.' }),
);

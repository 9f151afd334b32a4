import { z } from 'zod';
import { statusSection } from '../subsystem.ts';
import { describeAnnouncement } from './describe.ts';
import { announcementPhases, announcementRefusals } from './events.ts';

export const status = statusSection({
  reads: ['announcer'],
  shape: () => ({
    announcement: z
      .object({
        phase: z.enum(announcementPhases).meta({ description: 'Progress of the newest announcement.' }),
        reason: z
          .enum(announcementRefusals)
          .nullable()
          .meta({ description: 'Why the newest announcement failed, a stable code; null in every other phase.' }),
        generation: z
          .int()
          .min(0)
          .meta({ description: 'Accepted announcements since this part started; the newest replaces the others.' }),
        started_at: z
          .int()
          .nullable()
          .meta({ description: 'When the newest one was accepted. Milliseconds since the Unix epoch.' }),
        detail: z.string().meta({ description: 'The same in plain words.' }),
      })
      .nullable()
      .meta({ description: 'The announcement player; never an address. Null while its part restarts.' }),
  }),
  view: ({ read }) => {
    const announcer = read('announcer');
    return {
      announcement:
        announcer === undefined
          ? null
          : {
              phase: announcer.phase,
              reason: announcer.reason,
              generation: announcer.generation,
              started_at: announcer.startedAt,
              detail: describeAnnouncement(announcer.phase, announcer.reason),
            },
    };
  },
});

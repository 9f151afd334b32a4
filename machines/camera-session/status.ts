import { z } from 'zod';
import { ageing } from '../kit/status.ts';
import { statusSection } from '../subsystem.ts';

/** Who watches the camera, in the status document; never from where. */
export const status = statusSection({
  reads: ['camera-session'],
  uses: ['now', 'elapsed'],
  shape: () => ({
    camera_watchers: z
      .array(
        z.object({
          kind: z
            .enum(['home-assistant', 'frigate', 'go2rtc', 'player'])
            .meta({ description: 'What watches, as far as its requests tell; `player` is anything else.' }),
          // Derived from a monotonic clock, so that it may differ by a millisecond.
          since: z.int().meta({ description: 'When it began. Milliseconds since the Unix epoch.', ...ageing }),
        }),
      )
      .meta({ description: 'The streams of the camera that are being played.' }),
  }),
  view: ({ read, now, elapsed }) => ({
    camera_watchers: (read('camera-session')?.watchers ?? []).map(({ kind, since }) => ({
      kind,
      since: Math.round(now - (elapsed - since)),
    })),
  }),
});

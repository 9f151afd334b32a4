import { z } from 'zod';
import { statusSection } from '../subsystem.ts';

/** The web server in the status document. */
export const status = statusSection({
  reads: ['http'],
  shape: () => ({
    listener: z
      .object({
        port: z.int().meta({ description: 'TCP port; -1 while it does not listen.' }),
        family: z
          .enum(['dual', 'ipv4'])
          .nullable()
          .meta({ description: '`dual`: IPv6 and IPv4; null while it does not listen.' }),
      })
      .meta({ description: 'The web server.' }),
  }),
  view: ({ read }) => {
    const http = read('http');
    return { listener: { port: http?.port ?? -1, family: http?.family ?? null } };
  },
});

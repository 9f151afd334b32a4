import { z } from 'zod';

export const asked = z.object({ limit: z.number().int().optional(), on: z.boolean() });

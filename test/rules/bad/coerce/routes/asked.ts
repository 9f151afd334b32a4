import { z } from 'zod';

export const asked = z.object({ limit: z.coerce.number().optional() });

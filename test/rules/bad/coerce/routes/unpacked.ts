import { z as zod } from 'zod';

const { coerce } = zod;
export const asked = zod.object({ on: coerce.boolean() });

import { z } from 'zod';

export const text = z.string();

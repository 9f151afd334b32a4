import { z } from 'zod';
import { canonicalHomePath, HOME_PATH_LENGTH } from './home-path.ts';

/** A setting that is a path on Home Assistant: refused unless it stays there, and kept in its canonical form. */
export const homePathField = (): z.ZodString =>
  z
    .string()
    .max(HOME_PATH_LENGTH)
    .check((ctx) => {
      const path = canonicalHomePath(ctx.value);
      if (!path.ok) ctx.issues.push({ code: 'custom', input: ctx.value, message: path.message });
    })
    .overwrite((text) => {
      const path = canonicalHomePath(text);
      return path.ok ? path.value : text;
    });

import { z } from 'zod';
import { textUpTo } from './fields.ts';
import { canonicalHomePath, HOME_PATH_LENGTH } from './home-path.ts';

/** A setting that is a path on Home Assistant: refused unless it stays there, and kept in its canonical form. */
export const homePathField = (): z.ZodString =>
  textUpTo(
    HOME_PATH_LENGTH,
    z.check<string>((ctx) => {
      const path = canonicalHomePath(ctx.value);
      if (!path.ok) ctx.issues.push({ code: 'custom', input: ctx.value, message: path.message });
    }),
    z.overwrite<string>((written) => {
      const path = canonicalHomePath(written);
      return path.ok ? path.value : written;
    }),
  );

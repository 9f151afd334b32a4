import { z } from 'zod';
import { once } from '#machines/kit/once.ts';

/**
 * A name as the kernel gives it to a device, compared and never opened: no slash, nothing that a shell reads, at most
 * 80 characters.
 */
export const deviceName = once(() => z.string().regex(/^[A-Za-z0-9*][A-Za-z0-9 ()*_.,:+@#=-]{0,79}$/));

/** What a GPIO chip is called; no path fits. */
export const chipLabel = once(() => z.string().regex(/^(?!\.)[A-Za-z0-9_.:+@-]{1,31}$/));

/** Offset of a line in its GPIO chip. */
export const chipLine = once(() => z.int().min(0).max(4095));

import { z } from 'zod';
import { once } from '#machines/kit/once.ts';

/**
 * Name of a device as the kernel reports it; compared, never opened. No slash, nothing that a shell interprets, at most
 * 80 characters.
 */
export const deviceName = once(() => z.string().regex(/^[A-Za-z0-9*][A-Za-z0-9 ()*_.,:+@#=-]{0,79}$/));

/** Label of a GPIO chip; no path matches. */
export const chipLabel = once(() => z.string().regex(/^(?!\.)[A-Za-z0-9_.:+@-]{1,31}$/));

export const chipLine = once(() => z.int().min(0).max(4095));

/** Name of a source in PulseAudio, PipeWire or ALSA; compared, or an argument of its own. */
export const sourceName = once(() => z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._:,+@=#~-]{0,255}$/));

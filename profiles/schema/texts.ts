import { z } from 'zod';

import { once } from '#machines/kit/once.ts';
import { shownLine } from '#machines/kit/shown-text.ts';

/** One line of text for display, 1 to `most` characters. */
export const line = (most: number) => z.string().min(1).max(most).regex(shownLine);

/** An https address that is shown but never fetched: with a host, without a user, at most 500 characters. */
export const shownLink = once(() =>
  z
    .string()
    .max(500)
    .regex(/^https:\/\/[a-z0-9](?:[a-z0-9.-]{0,252}[a-z0-9])?(?::\d{1,5})?(?:[/?#][!-~]*)?$/i),
);

/** `1.0.0` or `1.0.0-beta.1`, without build metadata. */
export const profileVersion = once(() =>
  z.string().regex(/^(?:0|[1-9]\d{0,8})\.(?:0|[1-9]\d{0,8})\.(?:0|[1-9]\d{0,8})(?:-[0-9A-Za-z.-]{1,40})?$/),
);

/** Lower-case letters and digits, separated by single dots and dashes: `raspberry-pi.touch-1`. */
export const profileId = once(() =>
  z
    .string()
    .max(128)
    .regex(/^[a-z0-9]+(?:[.-][a-z0-9]+)*$/),
);

/** SPDX identifiers joined by AND or OR. */
export const licence = once(() =>
  z
    .string()
    .max(200)
    .regex(/^[A-Za-z0-9][A-Za-z0-9.+-]{0,63}(?: (?:AND|OR) [A-Za-z0-9][A-Za-z0-9.+-]{0,63})*$/),
);

/** A version of Sconce: 1 to 4 numbers and an optional pre-release. */
export const coreVersion = once(() =>
  z
    .string()
    .max(64)
    .regex(/^\d{1,6}(?:\.\d{1,6}){0,3}(?:-[0-9A-Za-z.-]{1,40})?$/),
);

/**
 * Name of a Debian package (Debian policy 5.6.1). apt reads a trailing minus as "remove" and a trailing plus as
 * "install": no package ends in a minus, and those that end in a plus are listed.
 */
export const packageName = once(() =>
  z.string().regex(/^(?:(?:g|gobjc|bonnie)\+\+|memtest86\+|[a-z0-9][a-z0-9+.-]{0,61}[a-z0-9])$/),
);

/** Id of a driver, such as `relay.gpio`. */
export const driverId = once(() => z.string().regex(/^[a-z][a-z0-9-]{0,31}\.[a-z][a-z0-9-]{0,31}$/));

import { signInSpec } from '#actors/sign-in.ts';
import { homeAssistant } from '#drivers/sign-in/platform.ts';
import type { Wiring } from './deps.ts';

/** Who may do what, here and at Home Assistant. */
export const accessParts: Wiring = ({ registry, log, now }) => [
  signInSpec({
    registry,
    port: homeAssistant(),
    now,
    elapsed: () => performance.now(),
    random: Math.random,
    protect: (value) => log.protect(value),
  }),
];

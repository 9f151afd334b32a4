import { signInSpec } from '#actors/sign-in.ts';
import { lookAt } from '#drivers/home-probe/look.ts';
import { accessTokens } from '#drivers/sign-in/access-tokens.ts';
import { homeAssistant } from '#drivers/sign-in/home-assistant.ts';
import { systemTrust } from '#drivers/sign-in/trust.ts';
import { approvalsPart } from './approvals.ts';
import type { Wiring } from './deps.ts';

/** Who may do what, and the sign-in to Home Assistant. */
export const accessParts: Wiring = (deps) => {
  const { registry, log, now } = deps;
  const shared = {
    port: homeAssistant(),
    now,
    elapsed: () => performance.now(),
    protect: (value: string) => log.protect(value),
  };
  return [
    approvalsPart(deps),
    signInSpec({
      ...shared,
      registry,
      random: Math.random,
      look: lookAt({ trust: systemTrust() }),
      tokens: (held) => accessTokens({ ...shared, held }),
    }),
  ];
};

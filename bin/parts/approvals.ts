import { approvalsSpec } from '#actors/approvals.ts';
import type { Part } from '#actors/kit/part.ts';
import { controlSocket } from '#drivers/approvals/control-socket.ts';
import { exposureDriver } from '#drivers/approvals/exposure.ts';
import { modeFile } from '#drivers/approvals/mode-file.ts';
import { exposedBy } from '#machines/approvals/exposed-by.ts';
import type { PartDeps } from './deps.ts';

const elapsed = (): number => performance.now();

/** The part that asks at the panel. */
export function approvalsPart({ registry, profile, folder, log, now, questions }: PartDeps): Part {
  return approvalsSpec({
    registry,
    now,
    elapsed,
    modeFile: modeFile({ folder }),
    question: questions.driver,
    exposure: exposureDriver({ judge: exposedBy, now: elapsed }),
    control: controlSocket({
      folder,
      onRefused: (code) => log.warn('The socket of "sconce approvals" could not be opened.', { code }),
    }),
    simulated: profile.simulated,
    android: profile.adb !== null,
  });
}

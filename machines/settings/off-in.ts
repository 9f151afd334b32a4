import { consentKeys } from './consents.ts';
import { judgePosted } from './merge.ts';

/** The settings with a consent that a patch turns off. */
export const offIn = (patch: Readonly<Record<string, unknown>>): readonly string[] =>
  consentKeys.filter((key) => {
    if (!Object.hasOwn(patch, key)) return false;
    const judged = judgePosted(key, patch[key]);
    // Null is its default, which is off.
    return judged.ok && judged.value !== true;
  });

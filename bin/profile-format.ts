import type { ProfileFormat } from '#actors/profile-catalog/format.ts';
import { readMatchFacts } from '#drivers/profiles/match-facts.ts';
import type { ProfileRef } from '#machines/profile-catalog/activation.ts';
import type { ProfileDocument } from '#machines/profile-catalog/reading.ts';
import { bundledBytes, bundledProfiles } from '#profiles/bundled.ts';
import { autoName, hasScreen, preferredId } from '#profiles/choose.ts';
import type { ProfileShape } from '#profiles/document.ts';
import { driverCatalogue } from '#profiles/catalogue.ts';
import { diffProfiles } from '#profiles/diff.ts';
import { draftYaml } from '#profiles/draft.ts';
import { gatherEvidence } from '#profiles/evidence.ts';
import { matchable, matchProfiles } from '#profiles/match.ts';
import { readProfile, readSavedProfile } from '#profiles/read.ts';
import { profileSchema } from '#profiles/schema/profile.ts';
import { templateYaml } from '#profiles/template.ts';
import { requirementsOf } from '#profiles/requirements.ts';
import type { DeclaredPart } from '#profiles/resolved.ts';

// A document that its reader accepted has the shape of the schema, and conversely it is plain JSON.
const shapeOf = (document: ProfileDocument): ProfileShape => document as unknown as ProfileShape;
const documentOf = (shape: ProfileShape): ProfileDocument => shape as unknown as ProfileDocument;

/** Parts that share a driver share its probe. */
const oncePerDevice = (parts: readonly DeclaredPart[]): readonly DeclaredPart[] => [
  ...new Map(parts.map((part) => [part.probe, part])).values(),
];

/**
 * Gives the catalogue access to `profiles/`; `asked` is the value of `--profile`, and `preferred` the profile that
 * replaces the one that fits this machine.
 */
export function profileFormat(asked: string | null, preferred: string | null = null): ProfileFormat {
  let matched: { readonly ref: ProfileRef | null } | undefined;
  const match = (): ProfileRef | null => {
    const bundled = bundledProfiles();
    const fitting = (): string =>
      asked !== autoName && !hasScreen()
        ? 'simulated'
        : matchProfiles(
            readMatchFacts(),
            bundled.map(({ document }) => matchable(document)),
          ).id;
    const id = preferredId(preferred) ?? fitting();
    const found = bundled.find(({ summary }) => summary.id === id)?.summary;
    return found === undefined ? null : { id: found.id, revision: found.revision };
  };
  const matchedRef = (): ProfileRef | null => (matched ??= { ref: match() }).ref;
  return {
    read: readProfile,
    readSaved: readSavedProfile,
    bundled: () => bundledProfiles().map(({ summary, document }) => ({ summary, document: documentOf(document) })),
    bundledBytes,
    matched: matchedRef,
    matches: (id, document) =>
      matchedRef()?.id === id || matchProfiles(readMatchFacts(), [matchable(shapeOf(document))]).matches.length > 0,
    platform: (document) => shapeOf(document).platform.os,
    diff: diffProfiles,
    probe: (document) =>
      Promise.all(
        oncePerDevice(requirementsOf(shapeOf(document))).map(async ({ requirement, probe }) => ({
          driver: requirement.driver,
          ...(await probe()),
        })),
      ),
    schema: () => JSON.stringify(profileSchema()),
    drivers: () => JSON.stringify({ drivers: driverCatalogue() }),
    template: templateYaml,
    draft: async () => draftYaml(readMatchFacts(), await gatherEvidence()),
  };
}

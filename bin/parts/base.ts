import { identitySpec } from '#actors/identity.ts';
import { activeProfileSpec } from '#actors/active-profile.ts';
import { settingsSpec } from '#actors/settings.ts';
import { storeSpec } from '#actors/store.ts';
import { machineFactsDriver } from '#drivers/identity/machine-facts.ts';
import { recordedFile } from '#drivers/store/recorded-file.ts';
import { storedSections } from '#drivers/store/stored-sections.ts';
import { fileSections } from '#machines/stored-sections.ts';
import type { FirstWiring } from './deps.ts';

/** What everything else depends on: store, settings, identity, profile. */
export const baseParts: FirstWiring = ({
  registry,
  admission,
  profile,
  folder,
  version,
  build,
  openFiles,
  now,
  readOnly,
  machineRoot,
}) => [
  storeSpec({ folder, sections: storedSections({ folder, apart: fileSections, moves: !readOnly }), now }),
  settingsSpec({ registry, now, openFiles, mode: admission.mode, recorded: readOnly ? null : recordedFile(folder) }),
  identitySpec({ registry, machineFacts: machineFactsDriver({ root: machineRoot }), version, build }),
  activeProfileSpec({
    id: profile.id,
    title: profile.title,
    ...profile.revision,
    simulated: profile.simulated,
    absent: profile.absent,
    optional: profile.optional,
  }),
];

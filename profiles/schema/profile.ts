import { z } from 'zod';

import { matchFields, profileMaturities } from '#machines/profile-catalog/reading.ts';

import { matchOperators, profileSystems } from '../document.ts';
import { hardwareSection, inputSection, sensorsSection } from './parts.ts';
import { coreVersion, driverId, licence, line, packageName, profileId, profileVersion, shownLink } from './texts.ts';

const metadata = () =>
  z.strictObject({
    author: line(100).meta({ description: 'Who wrote the profile.' }),
    source: shownLink().optional().meta({ description: 'Where the profile comes from; shown, never fetched.' }),
    links: z
      .array(
        z.strictObject({
          label: line(48).meta({ description: 'Text of the link.' }),
          url: shownLink().meta({ description: 'Shown, never fetched.' }),
        }),
      )
      .max(8)
      .optional()
      .meta({ description: 'Pages about the panel.' }),
    license: licence().meta({ description: 'SPDX identifiers, joined by AND or OR.' }),
    maturity: z
      .enum(profileMaturities)
      .meta({ description: 'draft is untried, experimental was tried in part, verified works on the hardware.' }),
    tested_firmware: z
      .array(line(120))
      .max(32)
      .optional()
      .meta({ description: 'Systems on which the profile was run.' }),
    limitations: z.array(line(500)).max(32).optional().meta({ description: 'What does not work or was not tried.' }),
  });

const requires = () =>
  z.strictObject({
    min_core_version: coreVersion()
      .optional()
      .meta({ description: 'Oldest version of Sconce that can use the profile.' }),
    drivers: z.array(driverId()).max(64).meta({ description: 'Every driver that the profile uses.' }),
  });

const priority = (what: string) => z.int().min(0).max(1000).meta({ description: what });

const match = () =>
  z.strictObject({
    priority: priority('Decides between profiles whose matched groups are equal; 1000 is highest.'),
    fallback: z.boolean().meta({ description: 'True only in generic-linux, which is used if nothing matches.' }),
    any: z
      .array(
        z.strictObject({
          priority: priority('The highest matched group decides between profiles.'),
          all: z
            .array(
              z.strictObject({
                field: z.enum(matchFields).meta({ description: 'Fact of the machine.' }),
                op: z.enum(matchOperators).meta({ description: 'How the fact is compared.' }),
                values: z
                  .array(line(100).regex(/^[^A-Z]*$/))
                  .min(1)
                  .max(32)
                  .meta({ description: 'Lower-case texts; one of them is enough.' }),
              }),
            )
            .min(1)
            .max(8)
            .meta({ description: 'All of these must be true.' }),
        }),
      )
      .max(64)
      .meta({ description: 'One of these groups is enough.' }),
  });

const platform = () =>
  z.strictObject({
    os: z
      .enum(profileSystems)
      .meta({ description: 'linux runs on the panel, android is reached over adb, simulated touches no hardware.' }),
    session: z.enum(['any', 'kiosk', 'desktop']).optional().meta({
      description:
        'Where the dashboard runs: a kiosk session, or the desktop of a user. For people only; the session is detected.',
    }),
    rights: z.enum(['user', 'root']).optional().meta({
      description: 'Rights that the drivers need on the panel. It grants none; root is shown among the risks.',
    }),
  });

const display = () =>
  z.strictObject({
    physical_ppi: z
      .int()
      .min(50)
      .max(1000)
      .optional()
      .meta({ description: 'Pixels per inch. For people only; the size of the dashboard is a setting.' }),
    diagonal_inch: z.number().min(1).max(100).optional().meta({ description: 'Diagonal in inches. For people only.' }),
  });

const provisioning = () =>
  z.strictObject({
    packages: z
      .array(
        z.strictObject({
          package: packageName().meta({ description: 'Name of a Debian package.' }),
          importance: z.enum(['recommended', 'optional']).meta({ description: 'How important it is.' }),
          note: line(500).optional().meta({ description: 'What it is for.' }),
        }),
      )
      .max(128)
      .optional()
      .meta({ description: 'Debian packages that the panel should have.' }),
    manual: z
      .array(
        z.strictObject({
          id: z
            .string()
            .regex(/^[a-z][a-z0-9-]{0,47}$/)
            .meta({ description: 'Short name of the step.' }),
          title: line(100).meta({ description: 'What to do.' }),
          note: line(500).optional().meta({ description: 'How and why.' }),
        }),
      )
      .max(32)
      .optional()
      .meta({ description: 'What only a person can do.' }),
  });

const build = () =>
  z.strictObject({
    schema: z.literal(1).meta({ description: 'Version of this format.' }),
    id: profileId().meta({ description: 'Stable name for programs.' }),
    version: profileVersion().meta({ description: 'Version of the profile, such as 1.0.0.' }),
    display_name: line(100).meta({ description: 'Name for people.' }),
    metadata: metadata().meta({ description: 'About the profile.' }),
    requires: requires().meta({ description: 'What the profile needs from Sconce.' }),
    match: match().meta({
      description: 'Machines on which a bundled profile is chosen automatically; an imported one never is.',
    }),
    platform: platform().meta({ description: 'The system of the panel.' }),
    hardware: hardwareSection().optional().meta({ description: 'Built-in parts; a part that is left out is absent.' }),
    sensors: sensorsSection().optional().meta({ description: 'Sensors; a sensor that is left out is absent.' }),
    input: inputSection().optional(),
    display: display().optional().meta({ description: 'Facts of the screen.' }),
    provisioning: provisioning().optional().meta({ description: 'What the panel should have besides Sconce.' }),
  });

let built: ReturnType<typeof build> | undefined;

/** The schema of a profile, built on first use because most starts read no YAML. */
export const profileFormat = (): ReturnType<typeof build> => (built ??= build());

let described: Readonly<Record<string, unknown>> | undefined;

/** The schema of a profile as JSON Schema (draft 2020-12), for editors and programs. */
export const profileSchema = (): Readonly<Record<string, unknown>> =>
  (described ??= { ...z.toJSONSchema(profileFormat(), { io: 'input' }), title: 'Profile of a wall panel' });

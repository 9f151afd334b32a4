import type { z } from 'zod';
import type { Given } from '#routes/kit/answer.ts';
import type { Drivers, Report } from '#routes/profiles/driver-shapes.ts';
import type {
  Catalog,
  Deleted,
  Evidence,
  Imported,
  Preview,
  Ref,
  Row,
  Scheduled,
  Standing,
} from '#routes/profiles/shapes.ts';

/** A small profile that is valid. */
export const profileYaml = `schema: 1
id: my-panel
version: 1.0.0
display_name: My panel
metadata: { author: Me, license: MIT, maturity: draft }
requires: { drivers: [screen.auto] }
match:
  priority: 100
  fallback: false
  any:
    - priority: 100
      all: [{ field: dmi_vendor, op: equals, values: [maker] }]
platform: { os: linux }
hardware:
  screen: { driver: screen.auto }
`;

/** The revision that these bytes are. */
const ref: Given<z.input<ReturnType<typeof Ref>>> = {
  id: 'my-panel',
  revision: '0bda68781eed37c6bf89e6d58438f075bd2dc3bf67fb05014f1b4da34647c91f',
};

const summary = {
  ...ref,
  origin: 'local',
  display_name: 'My panel',
  version: '1.0.0',
  author: 'Me',
  license: 'MIT',
  maturity: 'draft',
  limitations: [],
  tested_firmware: [],
  links: [],
  bytes: 354,
  drivers: ['screen.auto'],
} as const;

const row: Given<z.input<ReturnType<typeof Row>>> = {
  ...summary,
  state: 'active',
  matches_this_device: false,
  selected: true,
};

const standing: Given<z.input<ReturnType<typeof Standing>>> = {
  catalog_revision: 7,
  selection: { mode: 'pinned', ...ref },
  active: ref,
  pending: null,
  last_known_good: ref,
  rollback_to: 'auto',
  activation: { state: 'active', since: 1_795_352_177_000, reason: null, detail: null },
  issues: [],
};

const evidence: Given<z.input<ReturnType<typeof Evidence>>> = {
  driver: 'screen.auto',
  state: 'found',
  names: ['intel_backlight'],
  detail: 'The kernel shows a backlight.',
};

/** A catalogue; of its profiles it shows the active one. */
export const catalogExample: Given<z.input<ReturnType<typeof Catalog>>> = { ...standing, trial: null, profiles: [row] };

/** The preview of a valid profile; of what would change it shows one field. */
export const previewExample: Given<z.input<ReturnType<typeof Preview>>> = {
  valid: true,
  issues: [],
  summary,
  already_saved: false,
  matches_this_device: false,
  risks: [{ code: 'screen-off', detail: 'It can turn the screen off.' }],
  absent: ['led'],
  diff: [{ path: 'display_name', before: 'Linux panel', after: 'My panel' }],
  preview_token: 'example',
  preview_expires_at: 1_795_352_777_000,
  evidence: null,
};

/** The same after its devices were looked for. */
export const probedExample: Given<z.input<ReturnType<typeof Preview>>> = { ...previewExample, evidence: [evidence] };

/** A saved profile. */
export const importedExample: Given<z.input<ReturnType<typeof Imported>>> = {
  ok: true,
  status: 'saved',
  ...ref,
  catalog_revision: 8,
};

/** A profile that will be tried. */
export const scheduledExample: Given<z.input<ReturnType<typeof Scheduled>>> = {
  ok: true,
  status: 'scheduled',
  ...ref,
  catalog_revision: 8,
};

/** A deleted profile. */
export const deletedExample: Given<z.input<ReturnType<typeof Deleted>>> = {
  ok: true,
  status: 'deleted',
  ...ref,
  catalog_revision: 8,
};

/** The first lines of the schema of profiles. */
export const profileSchemaExample = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  properties: { schema: { type: 'number', const: 1, description: 'Version of this format.' } },
} as const;

/** One driver; the whole list has each of this build. */
export const driversExample: Given<z.input<ReturnType<typeof Drivers>>> = {
  drivers: [
    {
      id: 'volume.system',
      kind: 'volume',
      title: 'Volume of this machine',
      summary: 'Sets the volume through PipeWire, PulseAudio or ALSA, whichever answers.',
      system: 'linux',
      options: { type: 'object', properties: {}, additionalProperties: false },
      needs: { groups: ['audio'], packages: [], kernel: ['/proc/asound/cards'], udev: [] },
      risks: [],
      probe: 'wpctl, pactl and amixer are asked in turn; the first that knows a sound card is used and read back.',
    },
  ],
};

/** A report; of the profile it shows the first fields. */
export const reportExample: Given<z.input<ReturnType<typeof Report>>> = {
  version: '0.1.0',
  ...standing,
  profile: null,
  document: { schema: 1, id: 'my-panel', version: '1.0.0', display_name: 'My panel' },
  evidence: [evidence],
};

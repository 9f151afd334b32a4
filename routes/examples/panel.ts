import type { z } from 'zod';
import type { Given } from '#routes/kit/answer.ts';
import type { Info, Sensors } from '#routes/panel.ts';

/** Who a panel is. */
export const infoExample: Given<z.input<ReturnType<typeof Info>>> = {
  product: 'Sconce',
  version: '0.1.0',
  build: 'abcdef01',
  panel_id: 'hall_panel',
  friendly_name: 'Hall panel',
  manufacturer: 'Maker',
  model: 'Model',
  system: 'Debian GNU/Linux 13',
  profile: {
    id: 'generic-linux',
    title: 'Linux panel',
    simulated: false,
    version: '1.0.0',
    origin: 'bundled',
    maturity: 'experimental',
    revision: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  },
  capabilities: [
    {
      id: 'volume',
      title: 'Volume',
      state: 'not_here',
      reason: 'no-sound-card',
      detail: 'This machine shows no sound card, and no sound system answers.',
      missing: 'A sound card.',
      fix: null,
      name: 'Volume',
      note: 'This machine shows no sound card, and no sound system answers.',
      color: '#d04a3b',
    },
  ],
};

/** The sensors of a panel without one for the air. */
export const sensorsExample: Given<z.input<ReturnType<typeof Sensors>>> = {
  light: { present: true, lux: 120, age_s: 1 },
  proximity: { present: true, near: true, level: 72 },
  temperature: { present: true, c: 21.5, age_s: 4 },
  humidity: { present: false },
  volume_pct: 40,
  brightness: 204,
};

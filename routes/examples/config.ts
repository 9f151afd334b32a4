import type { z } from 'zod';
import type { Configuration, Saved, SchemaItem } from '#routes/config.ts';
import type { Given } from '#routes/kit/answer.ts';

/** A configuration; of the settings and the flags it shows a few. */
export const configurationExample: Given<z.input<ReturnType<typeof Configuration>>> = {
  panel_id: 'hall_panel',
  friendly_name: 'Hall panel',
  manufacturer: 'Maker',
  model: 'Model',
  http_port: 8888,
  mqtt_broker: 'mqtt://192.0.2.10:1883',
  mqtt_user: 'panel',
  mqtt_password_set: true,
  mqtt_address_family: 'Automatic',
  ha_url: 'http://192.0.2.10:8123',
  ha_token_set: false,
  ha_auth: { configured: true, oauth: true },
  version: '0.1.0',
  settings: {
    friendly_name: 'Hall panel',
    mqtt_broker: 'mqtt://192.0.2.10:1883',
    mqtt_password: '',
    volume_limit_percent: 80,
    dashboard_fullscreen: true,
  },
  ha_expose: { screen: true, diag_cpu: false },
};

/** A save of two values. */
export const savedExample: Given<z.input<ReturnType<typeof Saved>>> = {
  ok: true,
  status: 'saved',
  applied: ['volume_limit_percent', 'ha_expose_diag_cpu'],
  cleared: [],
  message: '2 values were changed.',
  revision: 5,
  ...configurationExample,
  ha_expose: { screen: true, diag_cpu: true },
};

/** One number; the whole list has one item for each setting. */
export const schemaExample: readonly Given<z.input<ReturnType<typeof SchemaItem>>>[] = [
  {
    key: 'volume_limit_percent',
    type: 'INT',
    group: 'sound',
    label: 'Loudest volume',
    help: 'The volume is never set above this.',
    default: '100',
    tier: 'BASIC',
    scope: 'DEVICE',
    secret: false,
    readOnly: false,
    available: true,
    options: [],
    min: 1,
    max: 100,
    step: 1,
    maxLength: null,
    ha: true,
    exposed: false,
    unit: '%',
    placeholder: null,
    restart: false,
  },
];

import { z } from 'zod';
import { classesOf, faultsOfSensor, sensorClasses } from '../entities/classes.ts';
import { reservedKeys } from './topics.ts';
import { once } from '../kit/once.ts';

/**
 * Rules of Home Assistant, checked before a payload is sent (seen with Home Assistant 2026.11). Objects are strict: an
 * unknown key voids the device there, or is silently ignored in a component.
 */
const text = once(() =>
  z
    .string()
    .min(1)
    .max(255)
    // A lone surrogate: Home Assistant cannot parse JSON with one, and drops the whole device.
    .refine((it) => !/\p{Cs}/u.test(it), 'not well-formed text'),
);
const topic = once(() => z.string().regex(/^[^+#\0]{1,250}$/, 'topic'));
const url = once(() => z.string().regex(/^(?:https?|homeassistant):\/\/[^\s]+$/, 'configuration_url'));

const common = once(() => ({
  unique_id: z.string().regex(/^[a-zA-Z0-9_-]{1,200}$/),
  default_entity_id: z.string().regex(/^[a-z_]+\.[a-z0-9_]{1,200}$/),
  name: text(),
  icon: z
    .string()
    .regex(/^[a-z0-9-]+:[a-z0-9-]+$/, 'icon')
    .optional(),
  availability: z
    .array(z.strictObject({ topic: topic() }))
    .min(1)
    .optional(),
  availability_mode: z.enum(['all', 'any', 'latest']).optional(),
}));
const setting = once(() => z.enum(['config', 'diagnostic']).optional());
const reading = once(() => z.literal('diagnostic', 'readings are never config').optional());
const classOf = (kind: string) => z.enum(classesOf(kind)).optional();
const commanded = once(() => ({
  command_topic: topic(),
  entity_category: setting(),
  json_attributes_topic: topic().optional(),
}));

const light = once(() =>
  z
    .strictObject({
      ...common(),
      ...commanded(),
      platform: z.literal('light'),
      state_topic: topic(),
      schema: z.literal('json'),
      // Exactly one mode: for on/off or brightness beside a colour, Home Assistant refuses the whole device.
      supported_color_modes: z.tuple([z.enum(['onoff', 'brightness', 'rgb'])]),
      brightness: z.literal(true).optional(),
      effect: z.literal(true).optional(),
      effect_list: z.array(text()).min(1).max(32).optional(),
      flash: z.boolean().optional(),
      transition: z.boolean().optional(),
    })
    .refine((it) => (it.effect === undefined) === (it.effect_list === undefined), 'effect and effect_list go together')
    .refine((it) => new Set(it.effect_list).size === (it.effect_list ?? []).length, 'effects repeat'),
);

const number = once(() =>
  z
    .strictObject({
      ...common(),
      ...commanded(),
      platform: z.literal('number'),
      state_topic: topic(),
      device_class: classOf('number'),
      unit_of_measurement: text().optional(),
      min: z.number(),
      max: z.number(),
      step: z.number().min(0.001),
      mode: z.enum(['auto', 'box', 'slider']),
    })
    .refine((it) => it.min < it.max, 'min is not below max'),
);

const textEntity = once(() =>
  z
    .strictObject({
      ...common(),
      ...commanded(),
      platform: z.literal('text'),
      state_topic: topic(),
      min: z.int().min(0).max(255),
      max: z.int().min(1).max(255),
      mode: z.enum(['text', 'password']),
      value_template: text(),
    })
    .refine((it) => it.min <= it.max, 'min is above max'),
);

const switchEntity = once(() =>
  z.strictObject({
    ...common(),
    ...commanded(),
    platform: z.literal('switch'),
    state_topic: topic(),
    device_class: classOf('switch'),
  }),
);

const select = once(() =>
  z.strictObject({
    ...common(),
    ...commanded(),
    platform: z.literal('select'),
    state_topic: topic(),
    options: z
      .array(text())
      .min(1)
      .refine((options) => new Set(options).size === options.length, 'options repeat'),
  }),
);

const button = once(() =>
  z.strictObject({
    ...common(),
    ...commanded(),
    platform: z.literal('button'),
    device_class: classOf('button'),
    payload_press: text(),
  }),
);

const sensor = once(() =>
  z
    .strictObject({
      ...common(),
      platform: z.literal('sensor'),
      state_topic: topic(),
      entity_category: reading(),
      device_class: z.enum(Object.keys(sensorClasses)).optional(),
      state_class: z.enum(['measurement', 'total', 'total_increasing']).optional(),
      unit_of_measurement: text().optional(),
      suggested_display_precision: z.int().min(0).max(10).optional(),
      options: z.array(text()).min(1).optional(),
      json_attributes_topic: topic().optional(),
    })
    .superRefine((it, issues) => {
      const { options, device_class: deviceClass, state_class: stateClass, unit_of_measurement: unit } = it;
      for (const fault of faultsOfSensor({ options, deviceClass, stateClass, unit })) issues.addIssue(fault);
    }),
);

const binarySensor = once(() =>
  z.strictObject({
    ...common(),
    platform: z.literal('binary_sensor'),
    state_topic: topic(),
    entity_category: reading(),
    device_class: classOf('binary_sensor'),
    json_attributes_topic: topic().optional(),
  }),
);

const event = once(() =>
  z.strictObject({
    ...common(),
    platform: z.literal('event'),
    state_topic: topic(),
    entity_category: setting(),
    device_class: classOf('event'),
    event_types: z
      .array(text())
      .min(1)
      .refine((types) => new Set(types).size === types.length, 'event_types repeat'),
  }),
);

// Home Assistant refuses `content_type` beside `url_topic`: it takes the type from the answer.
const image = once(() =>
  z.strictObject({
    ...common(),
    platform: z.literal('image'),
    url_topic: topic(),
    entity_category: reading(),
  }),
);

const component = once(() =>
  z.discriminatedUnion('platform', [
    light(),
    number(),
    textEntity(),
    switchEntity(),
    select(),
    button(),
    sensor(),
    binarySensor(),
    event(),
    image(),
  ]),
);

const device = once(() =>
  z.strictObject({
    device: z.strictObject({
      identifiers: z.array(text()).min(1),
      name: text(),
      manufacturer: text().optional(),
      model: text().optional(),
      sw_version: text().optional(),
      configuration_url: url().optional(),
    }),
    origin: z.strictObject({ name: text(), sw_version: text().optional(), support_url: url().optional() }),
    availability: z.array(z.strictObject({ topic: topic() })).min(1),
    qos: z.union([z.literal(0), z.literal(1)]),
    components: z.record(z.string(), z.unknown()),
  }),
);

function firstReason(error: z.ZodError): string {
  const issue = error.issues[0];
  if (!issue) return 'invalid';
  const path = issue.path.join('.');
  return path === '' ? issue.message : `${path}: ${issue.message}`;
}

/** Why Home Assistant would refuse this component under `key`; null if it would accept it. */
export function refusalOfComponent(key: string, candidate: unknown): string | null {
  // With a space in its key, an entity stays behind when the device is removed.
  if (!/^[a-zA-Z0-9_-]{1,64}$/.test(key)) return 'key: only letters, digits, _ and -';
  if (reservedKeys.includes(key)) return 'key: reserved';
  const parsed = component().safeParse(candidate);
  return parsed.success ? null : firstReason(parsed.error);
}

/** Why Home Assistant would refuse the payload apart from its components; null if it would accept it. */
export function refusalOfDevice(candidate: unknown): string | null {
  const parsed = device().safeParse(candidate);
  return parsed.success ? null : firstReason(parsed.error);
}

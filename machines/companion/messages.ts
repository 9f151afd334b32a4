import { z } from 'zod';
import { entityKinds } from '../kit/entity.ts';
import { once } from '../kit/once.ts';
import { issueLengths, wireTimes } from './wire.ts';

const hex = (digits: number) => z.string().regex(new RegExp(`^[0-9a-f]{${digits}}$`));
const line = (most: number) => z.string().max(most);
const key = () => z.string().regex(/^[a-z0-9_]{1,64}$/);
const code = () => z.string().regex(/^[a-z0-9-]{1,48}$/);
const byte = () => z.int().min(0).max(255);
const sequence = () => z.int().min(1).max(Number.MAX_SAFE_INTEGER);
const surface = () => z.enum(['mqtt', 'native']);
const scalar = () => z.union([z.string().max(255), z.number(), z.boolean(), z.null()]);

/** First frame of Home Assistant, in plain text. Without `key_id` it wants to be paired. */
export const ClientHello = once(() =>
  z.object({
    type: z.literal('hello'),
    /** Oldest and newest protocol that it speaks. */
    protocol: z.tuple([z.int().min(1).max(1000), z.int().min(1).max(1000)]),
    client: z.object({
      /** Minted once by each Home Assistant. */
      id: hex(32),
      name: line(80),
      version: line(40),
      integration: line(40),
    }),
    key_id: hex(16).optional(),
  }),
);
export type ClientHello = z.output<ReturnType<typeof ClientHello>>;

/** The panel's answer to it, in plain text: no more than mDNS tells everybody. */
export const PanelHello = once(() =>
  z.object({
    type: z.literal('hello'),
    protocol: z.int(),
    id: z.string(),
    name: line(120),
    model: line(120),
  }),
);
export type PanelHello = z.output<ReturnType<typeof PanelHello>>;

/** Why the panel goes no further; the connection is closed after it. */
const refusalCodes = [
  'protocol',
  'malformed',
  'unknown-key',
  'busy',
  'too-many',
  'too-slow',
  'stopping',
  'pairing-busy',
  'pairing-too-often',
  'no-place',
  'denied',
  'expired',
] as const;
export const PanelRefused = once(() =>
  z.object({
    type: z.literal('refused'),
    code: z.enum(refusalCodes),
    message: line(255),
    protocol: z.tuple([z.int(), z.int()]),
  }),
);
export type PanelRefused = z.output<ReturnType<typeof PanelRefused>>;

/** Steps of pairing from Home Assistant, in plain text. */
export const PairingStep = once(() =>
  z.discriminatedUnion('type', [
    z.object({ type: z.literal('pair'), commit: hex(64) }),
    z.object({ type: z.literal('reveal'), key: hex(64), nonce: hex(32) }),
    z.object({ type: z.literal('confirm') }),
  ]),
);
export type PairingStep = z.output<ReturnType<typeof PairingStep>>;

/** Steps of pairing from the panel, in plain text. */
export const PairingAnswer = once(() =>
  z.discriminatedUnion('type', [
    z.object({ type: z.literal('pair'), key: hex(64), nonce: hex(32) }),
    z.object({ type: z.literal('paired'), key_id: hex(16) }),
  ]),
);
export type PairingAnswer = z.output<ReturnType<typeof PairingAnswer>>;

const LightWish = once(() =>
  z.object({
    on: z.boolean().optional(),
    brightness: byte().optional(),
    rgb: z.tuple([byte(), byte(), byte()]).optional(),
    effect: line(80).optional(),
  }),
);

/** What Home Assistant sends in a proven session. */
export const ClientMessage = once(() =>
  z.discriminatedUnion('type', [
    z.object({
      type: z.literal('phase'),
      phase: z.enum(['starting', 'running', 'stopping']),
      /** Only of `stopping`. */
      reason: z.enum(['restart', 'stop']).optional(),
    }),
    z.object({
      type: z.literal('set'),
      id: sequence(),
      k: key(),
      v: z.union([z.null(), z.boolean(), z.number(), z.string().max(4096), LightWish()]),
      /** For its result, from when it arrives; in milliseconds. */
      deadline: z.int().min(100).max(wireTimes.longestDeadline).default(wireTimes.deadline),
    }),
    z.object({ type: z.literal('rekeyed'), key_id: hex(16) }),
    /** A step of a move is done, or could not be. */
    z.object({
      type: z.literal('moved'),
      to: surface(),
      step: z.enum(['prepared', 'released', 'applied', 'failed']),
      /** Entities whose choices are kept, or were applied. */
      entities: z.int().min(0).max(10_000).default(0),
      /** Names of those that name the device. */
      automations: z.array(line(255)).max(20).default([]),
      scripts: z.array(line(255)).max(20).default([]),
      message: line(255).optional(),
    }),
    /** A person there wants to move. */
    z.object({ type: z.literal('move-wanted'), to: surface() }),
    z.object({ type: z.literal('bye'), reason: z.enum(['reload', 'disabled', 'removed']) }),
  ]),
);
export type ClientMessage = z.output<ReturnType<typeof ClientMessage>>;

/** One entity as Home Assistant shows it; an absent field has no meaning for its platform. */
export const CatalogueItem = once(() =>
  z.object({
    /** Key of the row; the unique id is `sconce_<panel id>_<k>`. */
    k: key(),
    /** Home Assistant's word for the kind of entity. */
    platform: z.enum(entityKinds),
    name: line(120),
    /** The entity id is `<platform>.<panel id>_<object_id>`. */
    object_id: key(),
    /** False for one that is there, but switched off in Home Assistant at first. */
    enabled: z.boolean(),
    icon: line(80).optional(),
    category: z.enum(['config', 'diagnostic']).optional(),
    class: line(40).optional(),
    state_class: line(40).optional(),
    unit: line(20).optional(),
    precision: z.int().min(0).max(10).optional(),
    min: z.number().optional(),
    max: z.number().optional(),
    step: z.number().optional(),
    mode: line(20).optional(),
    max_length: z.int().optional(),
    options: z.array(line(255)).optional(),
    modes: z.array(z.enum(['onoff', 'brightness', 'rgb'])).optional(),
    effects: z.array(line(80)).optional(),
    event_types: z.array(line(80)).optional(),
    /** How long a command may wait, as for a person at the panel; in milliseconds. */
    timeout: z.int().optional(),
  }),
);
export type CatalogueItem = z.output<ReturnType<typeof CatalogueItem>>;

const LightState = once(() =>
  z.object({
    on: z.boolean(),
    brightness: byte().nullable(),
    rgb: z.tuple([byte(), byte(), byte()]).nullable(),
    effect: line(80).nullable(),
  }),
);
const PictureState = once(() => z.object({ path: line(255), n: z.int() }));

/** What the panel sends in a proven session. */
export const PanelMessage = once(() =>
  z.discriminatedUnion('type', [
    /** Replaces the one before it; the states of all its rows and `synced` follow. */
    z.object({
      type: z.literal('catalogue'),
      rev: sequence(),
      /** The surface in force: over the broker there are no items here. */
      surface: surface(),
      panel: z.object({
        id: z.string(),
        name: line(120),
        manufacturer: line(120),
        model: line(120),
        version: line(80),
        /** URL of the panel's own pages; null while unknown. */
        configuration_url: line(255).nullable(),
      }),
      items: z.array(CatalogueItem()),
    }),
    z.object({
      type: z.literal('state'),
      k: key(),
      available: z.boolean(),
      /** Null for unknown, and for a row without a state. */
      v: z.union([z.null(), z.boolean(), z.number(), line(255), LightState(), PictureState()]),
      attributes: z.record(z.string(), scalar()).optional(),
    }),
    z.object({
      type: z.literal('synced'),
      /** The panel still looks at its parts, and may have further issues; another `synced` follows. */
      checking: z.literal(true).optional(),
    }),
    z.object({
      type: z.literal('event'),
      k: key(),
      n: sequence(),
      event: line(80),
      data: z.record(z.string(), scalar()),
    }),
    /** The end of a `set`; each gets exactly one. */
    z.object({
      type: z.literal('result'),
      id: sequence(),
      ok: z.boolean(),
      code: code().optional(),
      message: line(255).optional(),
    }),
    z.object({
      type: z.literal('issue'),
      id: code(),
      gone: z.literal(true).optional(),
      severity: z.enum(['error', 'warning']).optional(),
      title: line(issueLengths.title).optional(),
      text: line(issueLengths.text).optional(),
    }),
    /** The key from now on; the old one counts until `rekeyed`. */
    z.object({ type: z.literal('rekey'), key_id: hex(16), key: hex(64) }),
    /** The next step of a move; `abandon` makes Home Assistant forget what it kept for it. */
    z.object({
      type: z.literal('move'),
      to: surface(),
      step: z.enum(['prepare', 'release', 'apply', 'abandon']),
    }),
    z.object({ type: z.literal('bye'), reason: z.enum(['moved', 'revoked', 'reset', 'stopping', 'replaced']) }),
  ]),
);
export type PanelMessage = z.output<ReturnType<typeof PanelMessage>>;

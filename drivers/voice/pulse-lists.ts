import { type Fields, fieldsOf } from '#drivers/kit/json-fields.ts';
import { foreignValue } from '#machines/kit/foreign-json.ts';
import { jsonBounds } from '#machines/kit/json-excess.ts';
import type { EarSource } from '#machines/voice/events.ts';

import { MOST_SOURCES, NAME_LENGTH, TITLE_LENGTH } from './recorder.ts';

/** A source with the server's number of it. */
export interface PulseSource extends EarSource {
  readonly index: number;
}

/** What pactl 16 writes for a text with other than ASCII characters. */
const UNREADABLE = '(null)';

function textIn(fields: Fields, name: string): string {
  const value = fields[name];
  return typeof value === 'string' && value !== UNREADABLE ? value : '';
}

/** The rows of a list of `pactl --format=json`; null if the text is something else. */
function rowsOf(text: string): readonly Fields[] | null {
  const value = foreignValue(text, jsonBounds.program);
  return Array.isArray(value) ? value.map(fieldsOf) : null;
}

/** The monitor of a loudspeaker, which would record what the panel plays. */
const isMonitor = (row: Fields, properties: Fields): boolean =>
  textIn(row, 'monitor_source') !== '' ||
  textIn(properties, 'device.class') === 'monitor' ||
  textIn(row, 'name').endsWith('.monitor');

/**
 * PulseAudio names the module (`module-echo-cancel.c`); PipeWire groups the nodes of its own by it
 * (`libpipewire-module-echo-cancel` sets `echo-cancel-PID-ID`). The class `filter` would fit other modules as well.
 */
const isEchoCancelled = (row: Fields, properties: Fields): boolean =>
  textIn(row, 'driver').startsWith('module-echo-cancel') ||
  textIn(properties, 'node.link-group').startsWith('echo-cancel') ||
  [textIn(row, 'name'), textIn(properties, 'node.name')].some((name) => /echo[-_.]?cancel/iu.test(name));

function sourceOf(row: Fields, defaultName: string): readonly PulseSource[] {
  const { index } = row;
  const name = textIn(row, 'name');
  const properties = fieldsOf(row['properties']);
  if (typeof index !== 'number' || name === '' || name.length > NAME_LENGTH || isMonitor(row, properties)) return [];
  return [
    {
      index,
      name,
      title: (textIn(row, 'description') || name).slice(0, TITLE_LENGTH),
      kind: isEchoCancelled(row, properties) ? 'echo-cancelled' : 'microphone',
      isDefault: name === defaultName,
      isMuted: row['mute'] === true,
    },
  ];
}

/** The microphones in `pactl --format=json list sources`; null if the text is something else. */
export const parseSources = (text: string, defaultName: string): readonly PulseSource[] | null =>
  rowsOf(text)
    ?.flatMap((row) => sourceOf(row, defaultName))
    .slice(0, MOST_SOURCES) ?? null;

/** The default source in `pactl --format=json info`; null if the text is something else. */
export function parseDefault(text: string): string | null {
  const name = fieldsOf(foreignValue(text, jsonBounds.program))['default_source_name'];
  return typeof name === 'string' ? name : null;
}

/** PipeWire's number for none: the recording is not joined to a source yet, or no longer. */
const NO_SOURCE = 0xff_ff_ff_ff;

/**
 * The server's number of the source that a process records, by `pactl --format=json list source-outputs`: -1 if it
 * records none, null if the text is something else.
 */
export function parseUsed(text: string, pid: number): number | null {
  const rows = rowsOf(text);
  if (rows === null) return null;
  const own = rows.find((row) => fieldsOf(row['properties'])['application.process.id'] === String(pid));
  const source = own?.['source'];
  return typeof source === 'number' && source !== NO_SOURCE ? source : -1;
}

import type { SettingDescriptor, SettingValue } from '#machines/kit/setting.ts';
import { descriptors, exposableSettings } from '#machines/settings.ts';
import { type Configuration, defaultConfiguration, judgeValue } from '#machines/settings/merge.ts';

/** Texts of which each text setting takes one that is not its default. */
const texts = [
  'Hall',
  '/lovelace/hall',
  'sensor.hall',
  'light.hall',
  'http://192.0.2.9:8123',
  'mqtt://192.0.2.9:1883',
  '22:00-06:00',
  '192.0.2.9:5555',
  'hall.example',
];

function candidates({
  key,
  type,
  options,
  min,
  max,
  step,
  default: usual,
}: SettingDescriptor): readonly SettingValue[] {
  switch (type) {
    case 'BOOL':
      return [usual !== 'true'];
    case 'ENUM':
      return options;
    case 'INT':
    case 'FLOAT':
      return [Number(usual) + (step ?? 1), Number(usual) - (step ?? 1), min ?? 0, max ?? 1];
    case 'PASSWORD':
      return ['marker-secret'];
    case 'STRING':
      return [ruled.get(key) ?? [], texts].flat();
  }
}

/** Texts that a rule over settings judges, by key. */
const ruled: ReadonlyMap<string, string> = new Map([['voice_pipelines', '{"press":"hall"}']]);

/** A value that a setting takes and that is not its default; fails for a setting of a kind that is not known here. */
function otherValue(row: SettingDescriptor): SettingValue {
  for (const one of candidates(row)) {
    const judged = judgeValue(row, one);
    if (judged.ok && judged.value !== null && judged.value !== row.defaultValue) return judged.value;
  }
  throw new Error(`add a text that ${row.key} takes to test/fakes/other-values.ts`);
}

/** A configuration in which nothing is at its default, and every credential is set. */
export function otherConfiguration(): Configuration {
  const settable = descriptors.filter(({ readOnly }) => !readOnly);
  const of = (secret: boolean) => settable.filter((row) => row.secret === secret);
  return {
    values: Object.fromEntries(of(false).map((row) => [row.key, otherValue(row)])),
    secrets: Object.fromEntries(of(true).map((row) => [row.key, `marker-${row.key}`])),
    expose: Object.fromEntries(exposableSettings.map(({ key }) => [key, defaultConfiguration.expose[key] !== true])),
  };
}

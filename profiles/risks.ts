import { quoted } from '#machines/kit/shown-text.ts';
import type { ProfileDocument, ProfileRisk } from '#machines/profile-catalog/reading.ts';

import { declaredParts } from './declared-parts.ts';
import type { ChosenDriver, ProfileShape } from './document.ts';
import { type DriverRisk, driverRisks } from './driver-entry.ts';
import { driverById } from './drivers/all.ts';
import { impliedParts } from './left-to-system.ts';

const sentences: Readonly<Record<Exclude<DriverRisk, 'none'>, string>> = {
  'relay-write': 'It switches relays, and with them whatever is connected.',
  'gpio-write': 'It drives pins of the processor: a wrong pin can disturb or damage the panel.',
  'gpio-read': 'It uses pins of the processor as inputs: a wrong pin no longer drives what is connected to it.',
  'led-write': 'It drives LEDs of the kernel: a wrong name lights a different one.',
  'evdev-read': 'It reads touch screens, keys and buttons.',
  'evdev-grab': 'It grabs touches or buttons while it needs them: no other program receives them.',
  'camera-open': 'It can open the camera, once a person at the panel has turned that on.',
  'microphone-open': 'It can open the microphone, once a person at the panel has allowed that.',
  'screen-off': 'It can turn the screen off.',
  reboot: 'It can reboot the panel.',
  'android-debugging': 'It needs debugging on the Android panel: anyone who can reach that port controls the panel.',
};

/** Sentences for the risks of drivers, in the order of `driverRisks`, each followed by what the options name. */
export const tellRisks = (
  found: ReadonlySet<DriverRisk>,
  named: ReadonlyMap<string, string> = new Map(),
): readonly ProfileRisk[] =>
  driverRisks.flatMap((code) => {
    if (code === 'none' || !found.has(code)) return [];
    const more = named.get(code);
    return [{ code, detail: more === undefined ? sentences[code] : `${sentences[code]} ${more}` }];
  });

/** What the options of a part add to the risks of its driver. */
function namedBy({ driver, options }: ChosenDriver): readonly (readonly [string, string])[] {
  const entry = driverById(driver);
  const read = entry?.options().safeParse(options ?? {});
  return entry?.riskWords === undefined || read?.success !== true ? [] : Object.entries(entry.riskWords(read.data));
}

/** What a document asks its owner to do as root or by hand, which Sconce cannot check. */
function requests({ provisioning = {} }: ProfileShape): readonly ProfileRisk[] {
  const packages = (provisioning.packages ?? []).map((wanted) => wanted.package).join(', ');
  const steps = (provisioning.manual ?? []).map(({ title }) => quoted(title)).join(', ');
  const risk = (code: string, detail: string, words: string): readonly ProfileRisk[] =>
    words === '' ? [] : [{ code, detail }];
  return [
    ...risk(
      'packages',
      `Its author asks you to install Debian packages, each of which can do anything to the panel: ${packages}. Sconce installs none of them by itself.`,
      packages,
    ),
    ...risk('manual-steps', `Its author asks you to do by hand what Sconce cannot check: ${steps}.`, steps),
  ];
}

/** What a document can do to a machine, in the order of `driverRisks`; then what it asks its owner to do. */
export function risksOf(document: ProfileDocument | ProfileShape): readonly ProfileRisk[] {
  // A document that has passed the schema has this shape.
  const shape = document as ProfileShape;
  const parts = [...declaredParts(shape), ...impliedParts(shape)].map(({ part }) => part);
  const found = new Set(parts.flatMap(({ driver }) => driverById(driver)?.risks ?? []));
  return [
    ...tellRisks(found, new Map(parts.flatMap(namedBy))),
    ...(shape.platform.rights === 'root' ? [{ code: 'root', detail: 'Its drivers run as root on the panel.' }] : []),
    ...requests(shape),
  ];
}

import { documentFormats } from '#drivers/store/document.ts';
import type { Formats } from '#drivers/store/formats.ts';

/** A migration that gives a section another name. */
const renaming =
  (from: string, to: string): Formats['migrations'][number] =>
  (json) => {
    const { [from]: section, ...others } = json['sections'] as Readonly<Record<string, unknown>>;
    return { ...json, sections: { ...others, ...(section !== undefined && { [to]: section }) } };
  };

const next = documentFormats.current + 1;

/** A made-up format after the present one, in which `settings` are called `preferences`. */
export const nextFormats: Formats = {
  current: next,
  migrations: { ...documentFormats.migrations, [documentFormats.current]: renaming('settings', 'preferences') },
};

/** Another one after that, in which they are called `choices`. */
export const thirdFormats: Formats = {
  current: next + 1,
  migrations: { ...nextFormats.migrations, [next]: renaming('preferences', 'choices') },
};

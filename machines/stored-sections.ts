import { subsystems } from './subsystems.ts';

type Subsystem = (typeof subsystems)[number];

/** Sections of the durable document; each is written by the one subsystem whose manifest names it. */
export type DocumentSection = Extract<Subsystem, { readonly sections: readonly string[] }>['sections'][number];

/** Sections in separate files, likewise. */
export type FileSection = Extract<Subsystem, { readonly sectionFiles: readonly string[] }>['sectionFiles'][number];

/** Every stored section, by name. */
export type StoredSection = DocumentSection | FileSection;

/** The sections with a file each. */
export const fileSections: readonly FileSection[] = subsystems.flatMap((subsystem) =>
  'sectionFiles' in subsystem ? [...subsystem.sectionFiles] : [],
);

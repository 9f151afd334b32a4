import { ownField } from './kit/own-field.ts';
import type { Manifest, Travel } from './subsystem.ts';
import { subsystems } from './subsystems.ts';

type Subsystem = (typeof subsystems)[number];

type KeyOfEach<T> = T extends unknown ? Extract<keyof T, string> : never;

/** Sections of the durable document; each is written by the one subsystem whose manifest names it. */
export type DocumentSection = KeyOfEach<Extract<Subsystem, { readonly sections: object }>['sections']>;

/** Sections in separate files, likewise. */
export type FileSection = KeyOfEach<Extract<Subsystem, { readonly sectionFiles: object }>['sectionFiles']>;

/** Every stored section, by name. */
export type StoredSection = DocumentSection | FileSection;

const manifests: readonly Manifest[] = subsystems;

const travels: Readonly<Record<string, Travel>> = Object.assign(
  {},
  ...manifests.map(({ sections, sectionFiles }) => ({ ...sections, ...sectionFiles })),
) as Readonly<Record<string, Travel>>;

/** The sections with a file each. */
export const fileSections: readonly FileSection[] = subsystems.flatMap((subsystem) =>
  // The keys of a manifest are its literal names.
  'sectionFiles' in subsystem ? (Object.keys(subsystem.sectionFiles) as FileSection[]) : [],
);

/** How a section travels with a backup; one that no manifest names never does. */
const travelOf = (section: string): Travel => ownField<Travel>(travels, section) ?? 'never';

/** The sections that return to the machine that they are from, in start order. */
export const panelSections: readonly string[] = Object.keys(travels).filter((section) => travelOf(section) === 'panel');

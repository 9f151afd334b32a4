import { z } from 'zod';
import { statusSection, textLines } from '../subsystem.ts';

/** The configuration and its storage in the status document. */
export const status = statusSection({
  reads: ['settings', 'store'],
  shape: () => ({
    configuration: z
      .object({
        revision: z.int().meta({ description: 'Raised by one with each save; 0 until loaded.' }),
        digest: z.string().meta({ description: 'Eight hex digits over the configuration, `cfg=` of the health line.' }),
        dropped: z
          .array(z.string())
          .meta({ description: 'Stored keys that were refused at start and are at their defaults.' }),
        loss: z.string().nullable().meta({ description: 'Said when the stored file was unreadable at start.' }),
        last_failure: z
          .string()
          .nullable()
          .meta({ description: 'Why the last save failed; null after one that worked.' }),
        unsaved_off: z
          .array(z.string())
          .meta({ description: 'Keys of settings that are off now, which the disk has not taken yet.' }),
      })
      .meta({ description: 'The configuration in force, and how well it is kept.' }),
  }),
  view: ({ read }) => {
    const settings = read('settings');
    const store = read('store');
    return {
      configuration: {
        revision: settings?.revision ?? 0,
        digest: settings?.digest ?? '00000000',
        dropped: [...(settings?.dropped ?? [])],
        loss: store?.loss?.reason ?? null,
        last_failure: store?.lastFailure?.reason ?? null,
        unsaved_off: [...(settings?.unsavedOff ?? [])],
      },
    };
  },
});

/** Warnings about stored settings that were refused at the start, and about credential files that others can read. */
export const warnings = [
  textLines({
    key: 'settings',
    after: 'storage-health',
    reads: ['settings'],
    lines: ({ read }) => {
      const dropped = read('settings')?.dropped ?? [];
      return dropped.length === 0
        ? []
        : [`Stored settings that were not valid are at their defaults: ${dropped.join(', ')}.`];
    },
  }),
  textLines({
    key: 'unsaved-off',
    after: 'settings',
    reads: ['settings'],
    lines: ({ read }) =>
      (read('settings')?.unsavedOffLabels ?? []).map(
        (label) =>
          `${label} is off now, but the disk refused to save that. If this panel restarts before the disk takes it, it is on again. Free or repair the disk.`,
      ),
  }),
  textLines({
    key: 'open-files',
    after: 'unsaved-off',
    reads: ['settings'],
    lines: ({ read }) =>
      (read('settings')?.openFiles ?? []).map(
        (option) =>
          `Others on this machine can read the file of ${option}. Make it its owner's only: chmod 600 and its path.`,
      ),
  }),
];

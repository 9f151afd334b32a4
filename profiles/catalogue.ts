import { z } from 'zod';

import type { CatalogueEntry } from '#machines/profile-catalog/reading.ts';

import type { DriverEntry } from './driver-entry.ts';
import { allDrivers } from './drivers/all.ts';
import { tellRisks } from './risks.ts';
import { systemOf } from './rules.ts';

const entryOf = ({ id, kind, title, summary, options, needs, risks, probe }: DriverEntry): CatalogueEntry => ({
  id,
  kind,
  title,
  summary,
  system: systemOf(id),
  // Each schema names its JSON Schema draft, which the list need not repeat.
  options: Object.fromEntries(
    Object.entries(z.toJSONSchema(options(), { io: 'input' })).filter(
      ([key]) => key !== '$schema' && !key.startsWith('~'),
    ),
  ),
  needs,
  risks: tellRisks(new Set(risks)),
  probe,
});

let entries: readonly CatalogueEntry[] | undefined;

/** Every compiled driver as plain JSON, computed once on first use. */
export const driverCatalogue = (): readonly CatalogueEntry[] => (entries ??= allDrivers.map(entryOf));

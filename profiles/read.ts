import facts from '../package.json' with { type: 'json' };
import type { ProfileIssue, ProfileReading, ProfileValue } from '#machines/profile-catalog/reading.ts';

import { absentCapabilities } from './declared-parts.ts';
import type { ProfileShape } from './document.ts';
import { allDrivers, driverById } from './drivers/all.ts';
import { explain, issueAt } from './explain.ts';
import { risksOf } from './risks.ts';
import { checkRules } from './rules.ts';
import { profileFormat } from './schema/profile.ts';
import { revisionOf, summarize } from './summary.ts';
import { type ReadYaml, readYaml } from './yaml/read-yaml.ts';

/** Version of this Sconce, with which `requires.min_core_version` is compared. */
export const coreVersion: string = facts.version;

/** Largest number of issues that one reading reports. */
const mostIssues = 100;
/** Characters of a refused profile's id that are kept. */
const longestId = 128;

/** Removes keys whose value is null: an optional field is then absent, a required one missing. */
function withoutNulls(value: ProfileValue): ProfileValue {
  if (Array.isArray(value)) return value.map((one: ProfileValue) => withoutNulls(one));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, one]) => (one === null ? [] : [[key, withoutNulls(one)]])),
  );
}

const isMap = (value: ProfileValue): value is Readonly<Record<string, ProfileValue>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function judge(bytes: Uint8Array, { text, document: written, places }: ReadYaml, saved: boolean): ProfileReading {
  const document = withoutNulls(written);
  const id = isMap(document) && typeof document['id'] === 'string' ? document['id'].slice(0, longestId) : null;
  const refuse = (issues: readonly ProfileIssue[]): ProfileReading => ({
    ok: false,
    id,
    issues: issues.slice(0, mostIssues),
  });
  const parsed = profileFormat().safeParse(document);
  if (!parsed.success) return refuse(explain(parsed.error.issues, { text, places, document }));
  if (!isMap(document)) return refuse([]);
  // The schema guarantees this shape.
  const shape = document as unknown as ProfileShape;
  const drivers = allDrivers.map((entry) => entry.id);
  const found = checkRules(shape, { driver: driverById, drivers, coreVersion, saved });
  const issues = found.map(({ path, ...issue }) => issueAt({ text, places }, issue, path));
  if (issues.some(({ severity }) => severity === 'error')) return refuse(issues);
  return {
    ok: true,
    summary: summarize(shape, { revision: revisionOf(bytes), origin: 'local', bytes: bytes.length }),
    document,
    warnings: issues,
    risks: risksOf(shape),
    absent: absentCapabilities(shape),
  };
}

function readAs(bytes: Uint8Array, saved: boolean): ProfileReading {
  const yaml = readYaml(bytes);
  return yaml.ok ? judge(bytes, yaml.value, saved) : { ok: false, id: null, issues: [yaml.issue] };
}

/** Reads the exact bytes of a profile. Never throws; every issue of the text has a line and column. */
export const readProfile = (bytes: Uint8Array): ProfileReading => readAs(bytes, false);

/**
 * Like `readProfile`, for a profile that was saved earlier, perhaps by a version that allowed more: what its drivers
 * leave out is only a warning.
 */
export const readSavedProfile = (bytes: Uint8Array): ProfileReading => readAs(bytes, true);

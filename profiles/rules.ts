import { isReservedId } from '#machines/profile-catalog/admit.ts';
import type { ProfileIssue } from '#machines/profile-catalog/reading.ts';

import { closest } from './closest.ts';
import { declaredParts } from './declared-parts.ts';
import type { ProfileShape } from './document.ts';
import type { DriverEntry } from './driver-entry.ts';
import { compareVersions } from './versions.ts';
import { dotted, type Path } from './yaml/places.ts';

/** An issue found by a rule over several fields. */
export interface RuleIssue extends Pick<ProfileIssue, 'severity' | 'reason' | 'message'> {
  readonly path: Path;
}

export interface RuleFacts {
  readonly driver: (id: string) => DriverEntry | null;
  readonly drivers: readonly string[];
  readonly coreVersion: string;
  /**
   * True if the profile was saved earlier, perhaps by a version that allowed more: a refused option is then only a
   * warning.
   */
  readonly saved: boolean;
}

/** The only profile that may be the fallback. */
export const fallbackId = 'generic-linux';

/** The system of a driver, from the last part of its id. */
export function systemOf(id: string): ProfileShape['platform']['os'] {
  const [, way] = id.split('.');
  if (way === 'simulated') return 'simulated';
  return way === 'adb' ? 'android' : 'linux';
}

const error = (path: Path, reason: string, message: string): RuleIssue => ({
  severity: 'error',
  path,
  reason,
  message,
});

const ownName = ({ id }: ProfileShape): readonly RuleIssue[] =>
  isReservedId(id) ? [error(['id'], 'reserved-id', `id is "${id}", which is a reserved name. Choose another id.`)] : [];

function requiredDrivers(document: ProfileShape, { driver, drivers }: RuleFacts): readonly RuleIssue[] {
  const listed = document.requires.drivers;
  const used = declaredParts(document);
  const path = (index: number): Path => ['requires', 'drivers', index];
  const ofList = listed.flatMap((id, index): readonly RuleIssue[] => {
    if (listed.indexOf(id) !== index)
      return [error(path(index), 'listed-twice', `requires.drivers lists "${id}" twice. Keep one.`)];
    if (driver(id) === null) {
      const guess = closest(id, drivers);
      const next = guess === null ? 'Take it out.' : `Did you mean "${guess}"?`;
      return [
        error(
          path(index),
          'unknown-driver',
          `requires.drivers lists "${id}", which this version of Sconce does not have. ${next}`,
        ),
      ];
    }
    if (!used.some(({ part }) => part.driver === id))
      return [
        {
          severity: 'warning',
          path: path(index),
          reason: 'unused-driver',
          message: `requires.drivers lists "${id}", but nothing uses it. Take it out.`,
        },
      ];
    return [];
  });
  const missing = [...new Set(used.map(({ part }) => part.driver))].filter((id) => !listed.includes(id));
  return [
    ...ofList,
    ...missing.map((id) =>
      error(
        ['requires', 'drivers'],
        'missing-driver',
        `requires.drivers does not list "${id}", which the profile uses. Add it.`,
      ),
    ),
  ];
}

function systems(document: ProfileShape): readonly RuleIssue[] {
  const { os } = document.platform;
  return declaredParts(document)
    .filter(({ part }) => systemOf(part.driver) !== os)
    .map(({ path, part }) =>
      error(
        [...path, 'driver'],
        'wrong-platform',
        `${dotted(path)}.driver is "${part.driver}", which is for ${systemOf(part.driver)}, but platform.os is ${os}. Change one of them.`,
      ),
    );
}

function matching({ id, match, platform }: ProfileShape): readonly RuleIssue[] {
  if (match.fallback && id !== fallbackId)
    return [
      error(
        ['match', 'fallback'],
        'fallback-not-allowed',
        `match.fallback is true, which only ${fallbackId} may say. Write false.`,
      ),
    ];
  // Simulated panels are never matched, and Android panels need not be: the owner chooses them.
  if (!match.fallback && match.any.length === 0 && platform.os === 'linux')
    return [error(['match', 'any'], 'no-match-rule', 'match.any is empty. Add a group with a fact of the panel.')];
  return [];
}

const coreAge = ({ requires }: ProfileShape, { coreVersion }: RuleFacts): readonly RuleIssue[] =>
  requires.min_core_version !== undefined && compareVersions(requires.min_core_version, coreVersion) > 0
    ? [
        error(
          ['requires', 'min_core_version'],
          'core-too-old',
          `requires.min_core_version is ${requires.min_core_version}, but this is Sconce ${coreVersion}. Update Sconce.`,
        ),
      ]
    : [];

function listedTwice({ metadata, provisioning = {} }: ProfileShape): readonly RuleIssue[] {
  const twice = (words: readonly string[], path: Path): readonly RuleIssue[] =>
    words.flatMap((word, index) =>
      words.indexOf(word) === index
        ? []
        : [error([...path, index], 'listed-twice', `${dotted(path)} lists the same entry twice. Keep one.`)],
    );
  return [
    ...twice(
      (metadata.links ?? []).map(({ url }) => url),
      ['metadata', 'links'],
    ),
    ...twice(
      (provisioning.packages ?? []).map((wanted) => wanted.package),
      ['provisioning', 'packages'],
    ),
    ...twice(
      (provisioning.manual ?? []).map(({ id }) => id),
      ['provisioning', 'manual'],
    ),
  ];
}

const refusedOptions = (document: ProfileShape, { driver, saved }: RuleFacts): readonly RuleIssue[] =>
  declaredParts(document).flatMap(({ path, part }) => {
    const entry = driver(part.driver);
    const options = entry?.options().safeParse(part.options ?? {});
    if (entry?.faults === undefined || options?.success !== true) return [];
    return entry.faults(options.data).map(({ path: below, reason, words }): RuleIssue => {
      const place = [...path, 'options', ...below];
      return {
        severity: saved ? 'warning' : 'error',
        path: place,
        reason,
        message: `${dotted(place)} ${words}`,
      };
    });
  });

/** Checks the rules over several fields; the document must have passed the schema. */
export const checkRules = (document: ProfileShape, facts: RuleFacts): readonly RuleIssue[] => [
  ...ownName(document),
  ...coreAge(document, facts),
  ...requiredDrivers(document, facts),
  ...matching(document),
  ...systems(document),
  ...listedTwice(document),
  ...refusedOptions(document, facts),
];

import { z } from 'zod';
import type { ActiveProfileContext } from '#machines/active-profile/events.ts';
import { chunk } from '#machines/kit/chunk.ts';
import type { Plan } from '#machines/provisioning/plan.ts';
import { versionCode } from '#machines/provisioning/version-code.ts';
import { planText } from '#machines/provisioning/words.ts';
import { json, text } from '#routes/kit/answer.ts';
import type { RouteDeps } from '#routes/kit/deps.ts';
import type { Family } from '#routes/kit/family.ts';
import { restarting } from '#routes/kit/problem.ts';
import { readCapabilities } from '#routes/status/read-status.ts';
import { once } from '#machines/kit/once.ts';

/** Few panels are ever asked for their plan. */
const plans = chunk(() => import('#machines/provisioning/plan.ts'));

/** Longest time that a caller waits, in milliseconds: checking the machine takes at most three seconds per part. */
const checkMs = 6_000;

const Item = once(() =>
  z
    .object({
      id: z.string().meta({
        description:
          'What it is about: `package.NAME`, `group.NAME`, `udev.DRIVER`, `part.NAME` of a part, or `manual.NAME` of a step.',
      }),
      title: z.string().meta({
        description: 'For people; for a part, the title of its capability in the status document, with its driver.',
      }),
      importance: z
        .enum(['required', 'recommended', 'optional'])
        .meta({ description: 'How important it is; `optional` items never raise attention.' }),
      status: z.enum(['satisfied', 'actionable', 'manual', 'blocked', 'degraded', 'not_applicable']).meta({
        description:
          'For a part that was tried, the verdict of the status document: `satisfied` works, `degraded` works partly or was found but not tried, `blocked` is not here, `actionable` has a command, `manual` needs a check; `not_applicable` is not needed.',
      }),
      executor: z
        .enum(['app', 'host', 'local_user', 'none'])
        .meta({ description: 'Who can fix it: the agent, a command on this machine, or a person at the panel.' }),
      desired_state: z.string().meta({ description: 'What is required, in one sentence.' }),
      observed_state: z.string().meta({ description: 'What is there, in plain sentences.' }),
      reason_code: z
        .string()
        .meta({ description: 'Stable code; for a part that was tried, the reason of its capability.' }),
      command: z.string().nullable().meta({ description: 'The one command that fixes it; null if there is none.' }),
    })
    .meta({
      id: 'ProvisioningItem',
      description: 'One requirement of the active profile, compared with what was found.',
    }),
);

/** The plan as a running agent answers it. */
export const PlanDocument = once(() =>
  z
    .object({
      plan_schema: z.literal(1).meta({ description: 'Version of this document.' }),
      core: z
        .object({
          version: z.string().meta({ description: 'Semantic versioning.' }),
          version_code: z.number().int().nullable().meta({
            description:
              'The version as one number, higher for a newer one: 1,000,000 times the first, 1,000 times the second, and the third number of it; null for a build without such a version. It compares versions of Sconce only.',
          }),
        })
        .meta({ description: 'The running agent.' }),
      profile: z
        .object({
          id: z.string().meta({ description: 'Lower-case name of the profile.' }),
          display_name: z.string().meta({ description: 'Its name for people.' }),
          revision: z.string().nullable().meta({
            description: 'SHA-256 of its exact bytes, 64 lower-case hexadecimal digits; null if it has no file.',
          }),
          origin: z
            .enum(['bundled', 'local'])
            .meta({ description: 'If it came with Sconce or was imported, as in `/api/v1/profiles`.' }),
          content_version: z.string().meta({ description: 'Its version, as the profile states it.' }),
        })
        .meta({ description: 'The profile that runs.' }),
      activation: z
        .object({
          state: z.enum(['active', 'trial', 'rolled_back']).meta({
            description:
              '`trial` until a selected profile has proved itself, or while it waits for its restart; `rolled_back` if the last one did not.',
          }),
          generation: z.number().int().meta({ description: 'The `catalog_revision` of `/api/v1/profiles`.' }),
        })
        .nullable()
        .meta({ description: 'State of the selection of a profile; null until the catalogue was read.' }),
      observed_at: z.number().int().meta({ description: 'When it was checked, in milliseconds since the Unix epoch.' }),
      state: z
        .enum(['satisfied', 'attention'])
        .meta({ description: '`attention` if something required or recommended is missing.' }),
      items: z.array(Item()).meta({ description: 'One for each requirement.' }),
      issues: z
        .array(
          z.object({
            code: z.string().meta({ description: 'Stable code.' }),
            message: z.string().meta({ description: 'One plain sentence.' }),
          }),
        )
        .meta({ description: 'What is wrong with the catalogue of profiles, or with the choice of this start.' }),
    })
    .meta({
      id: 'ProvisioningPlan',
      description:
        'What the active profile requires of the machine, and what is there (contract, "Endpoint families").',
    }),
);

const example = {
  plan_schema: 1,
  core: { version: '1.2.3', version_code: 1_002_003 },
  profile: {
    id: 'hall.two-relays',
    display_name: 'Panel in the hall',
    revision: '3d'.repeat(32),
    origin: 'local',
    content_version: '1.0.0',
  },
  activation: { state: 'active', generation: 4 },
  observed_at: 1_795_000_000_000,
  state: 'attention',
  items: [
    {
      id: 'group.gpio',
      title: 'Group gpio',
      importance: 'recommended',
      status: 'actionable',
      executor: 'host',
      desired_state: 'The agent has the group gpio, for: Relay 1.',
      observed_state: 'The agent does not have this group. A new group counts after the next start of the machine.',
      reason_code: 'not-a-member',
      command: 'sudo usermod -aG gpio wall',
    },
  ],
  issues: [],
} as const;

/** What is there and what is required, as of now. */
export interface Planned {
  readonly plan: Plan;
  readonly at: number;
  readonly profile: ActiveProfileContext;
}

/** Checks the machine and plans from the result; null while the part that checks is being restarted. */
export async function checkAndPlan(deps: RouteDeps): Promise<Planned | null> {
  const asked = await deps.registry.ask('provisioning', { type: 'provisioning.scan' }, checkMs);
  const requirements = deps.registry.read('provisioning')?.context.requirements;
  const profile = deps.registry.read('active-profile')?.context;
  if (!asked.ok || requirements === undefined || profile === undefined) return null;
  const { planForRootShell, planProvisioning } = await plans();
  const plan = planProvisioning(requirements, asked.value, readCapabilities(deps));
  return { plan: deps.rootShell ? planForRootShell(plan) : plan, at: asked.value.at, profile };
}

/** What the profile requires of the machine: for people, scripts and `sconce doctor`. */
export const provisioningRoutes: Family = ({ declare, deps }) => {
  const common = {
    method: 'get',
    tag: 'profiles',
    guard: 'active',
    protects: null,
    maxBodyBytes: 0,
    problems: ['restarting'],
  } as const;
  declare(
    {
      ...common,
      operationId: 'getProvisioningPlan',
      path: '/api/v1/provisioning/plan',
      summary: 'What the profile requires of this machine',
      description:
        'Packages, groups, device rules and parts, each with what is there and the command that fixes it. Nothing is changed.',
      answers: () => ({
        200: json('The plan.', PlanDocument(), { example }),
      }),
    },
    async ({ answer }) => {
      const planned = await checkAndPlan(deps);
      if (planned === null) return restarting('provisioning');
      const { plan, at, profile } = planned;
      const catalog = deps.registry.read('profile-catalog')?.context.catalog ?? null;
      return answer(200, {
        plan_schema: 1,
        core: { version: deps.version, version_code: versionCode(deps.version) },
        profile: {
          id: profile.id,
          display_name: profile.title,
          revision: profile.hash === '' ? null : profile.hash,
          origin: profile.origin,
          content_version: profile.version,
        },
        activation: catalog === null ? null : { state: catalog.activation.state, generation: catalog.catalog_revision },
        observed_at: at,
        state: plan.state,
        items: plan.items,
        issues: (catalog?.issues ?? []).map(({ code, message }) => ({ code, message })),
      });
    },
  );
  declare(
    {
      ...common,
      operationId: 'getProvisioningPlanText',
      path: '/api/v1/provisioning/plan.txt',
      summary: 'The same plan for a terminal',
      description: 'One line for each requirement with its command.',
      answers: () => ({
        200: text('The plan as text.', {
          example: planText({ id: example.profile.id, title: example.profile.display_name }, example),
        }),
      }),
    },
    async ({ answer }) => {
      const planned = await checkAndPlan(deps);
      return planned === null ? restarting('provisioning') : answer(200, planText(planned.profile, planned.plan));
    },
  );
};

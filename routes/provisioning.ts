import { z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import type { ProfileContext } from '#machines/profile/events.ts';
import { planProvisioning, type Plan } from '#machines/provisioning/plan.ts';
import { planText } from '#machines/provisioning/words.ts';
import type { Env } from '#routes/kit/declare.ts';
import type { RouteDeps } from '#routes/kit/deps.ts';
import type { Family } from '#routes/kit/family.ts';
import { noStore, noStoreDoc } from '#routes/kit/no-store.ts';
import { restarting } from '#routes/kit/problem.ts';
import { readStatus } from '#routes/status/read-status.ts';

/** Longest that a caller waits, in milliseconds: checking the machine itself is bounded by three seconds a part. */
const checkMs = 6_000;

const Item = z
  .object({
    id: z.string(),
    title: z.string(),
    importance: z.enum(['required', 'recommended', 'optional']),
    status: z.enum(['satisfied', 'actionable', 'manual', 'blocked', 'degraded', 'not_applicable']),
    executor: z
      .enum(['app', 'host', 'local_user', 'none'])
      .meta({ description: 'Who can put it right: the agent, a command on this machine, or a person at the panel.' }),
    desired_state: z.string(),
    observed_state: z.string(),
    reason_code: z.string(),
    command: z
      .string()
      .nullable()
      .meta({ description: 'The one command that puts it right; null where there is none.' }),
  })
  .meta({ id: 'ProvisioningItem', description: 'One requirement of the active profile, held against what was seen.' });

const PlanDocument = z
  .object({
    plan_schema: z.literal(1),
    core: z.object({ version: z.string() }),
    profile: z.object({ id: z.string(), display_name: z.string() }),
    observed_at: z.number().int().meta({ description: 'When it was looked, milliseconds since the Unix epoch.' }),
    state: z.enum(['satisfied', 'attention']),
    items: z.array(Item),
  })
  .meta({
    id: 'ProvisioningPlan',
    description: 'What the active profile wants of the machine, and what is there (contract, "Endpoint families").',
  });

/** What is there and what is wanted, now. */
interface Planned {
  readonly plan: Plan;
  readonly at: number;
  readonly profile: ProfileContext;
}

/** Has the machine checked and plans with what was found; null while the part that checks is being restarted. */
const checkAndPlan = async (deps: RouteDeps): Promise<Planned | null> => {
  const asked = await deps.registry.ask('provisioning', { type: 'provisioning.scan' }, checkMs);
  const requirements = deps.registry.read('provisioning')?.context.requirements;
  const profile = deps.registry.read('profile')?.context;
  if (!asked.ok || requirements === undefined || profile === undefined) return null;
  const verdicts = Object.fromEntries(readStatus(deps).capabilities.map((row) => [row.id, row]));
  return { plan: planProvisioning(requirements, asked.value, verdicts), at: asked.value.at, profile };
};

/** What the profile wants of the machine: for people, scripts and `sconce doctor`. */
export const provisioningRoutes: Family = ({ declare, deps }) => {
  const common = {
    method: 'get',
    tag: 'profiles',
    guard: 'ordinary',
    protects: null,
    maxBodyBytes: 0,
    problems: ['restarting'],
  } as const;
  const answerWith = (render: (c: Context<Env>, planned: Planned) => Response) => async (c: Context<Env>) => {
    const planned = await checkAndPlan(deps);
    return planned === null ? restarting(c, 'provisioning') : render(c, planned);
  };
  declare(
    {
      ...common,
      path: '/api/v1/provisioning/plan',
      summary: 'What the profile wants of this machine',
      description:
        'Packages, groups, device rules and parts, each with what is there and the command that puts it right. Nothing is changed.',
      answers: {
        200: { description: 'The plan.', type: 'application/json', schema: PlanDocument, headers: noStoreDoc },
      },
    },
    answerWith((c, { plan, at, profile }) => {
      const body: z.infer<typeof PlanDocument> = {
        plan_schema: 1,
        core: { version: deps.version },
        profile: { id: profile.id, display_name: profile.title },
        observed_at: at,
        state: plan.state,
        items: plan.items.map((item) => ({ ...item })),
      };
      return c.json(body, 200, noStore);
    }),
  );
  declare(
    {
      ...common,
      path: '/api/v1/provisioning/plan.txt',
      summary: 'The same plan for a terminal',
      answers: {
        200: {
          description: 'The plan as text.',
          type: 'text/plain; charset=UTF-8',
          schema: z.string(),
          headers: noStoreDoc,
        },
      },
    },
    answerWith((c, { plan, profile }) => c.text(planText(profile, plan), 200, noStore)),
  );
};

import type { FlowStep, HomeClient } from '../home-assistant/client.ts';
import type { Agent } from './agent.ts';
import { until } from './until.ts';

/** The question on the screen of the simulated panel. */
export interface Question {
  readonly id: string;
  readonly kind: string;
  readonly title: string;
  readonly consequence: string;
  /** Digits to compare; null for none. */
  readonly code: string | null;
}

const FLOWS = '/api/config/config_entries/flow';

/** The question that the panel shows now. */
export async function questionAt(agent: Agent): Promise<Question | null> {
  const { shown } = JSON.parse(await agent.text('/api/v1/simulator/approvals')) as { readonly shown: Question | null };
  return shown;
}

/** Waits for a question, other than the one with the id `after`. */
export const asked = (agent: Agent, after?: string): Promise<Question> =>
  until('the panel asks', async () => {
    const shown = await questionAt(agent);
    return shown !== null && shown.id !== after && shown;
  }) as Promise<Question>;

/** Answers the question, as a person at the panel does. */
export const answer = (agent: Agent, { id }: Question, how: 'hold' | 'deny'): Promise<void> =>
  agent.touch({ approval: id, answer: how });

/** Waits for a question of that kind, and approves it as a person at the panel does. */
export const approve = async (agent: Agent, kind: string): Promise<void> =>
  answer(
    agent,
    await until(`it asks: ${kind}`, async () => {
      const shown = await questionAt(agent);
      return shown?.kind === kind && shown;
    }),
    'hold',
  );

/** Switches the mode of the panel at its screen. */
export async function switchMode(agent: Agent, mode: 'hardened' | 'relaxed'): Promise<void> {
  await agent.touch({ security_mode: mode });
  await approve(agent, mode === 'hardened' ? 'enter-hardened' : 'leave-hardened');
  await until(`it is ${mode}`, async () => (await agent.status()).security?.mode === mode);
  await until('that question is gone', async () => (await questionAt(agent)) === null);
}

/** A configuration flow of the integration, as its pages in Home Assistant go through it. */
export const flow = {
  begin: (client: HomeClient): Promise<FlowStep> => client.post(FLOWS, { handler: 'sconce' }),
  /** The one that has a person pair this entry again; undefined while there is none. */
  again: async (client: HomeClient, entry: string): Promise<FlowStep | undefined> =>
    (
      await client.call<
        readonly (FlowStep & { readonly context: { readonly source: string; readonly entry_id?: string } })[]
      >('config_entries/flow/progress')
    ).find(({ context }) => context.source === 'reauth' && context.entry_id === entry),
  next: (client: HomeClient, { flow_id: id }: Pick<FlowStep, 'flow_id'>, fields: object): Promise<FlowStep> =>
    client.post(`${FLOWS}/${id}`, fields),
  /**
   * Ends what it waits for, and goes on. Home Assistant itself takes note of the end first, and tells its pages: a step
   * that is asked for before would be carried out twice, and one of them have no answer.
   */
  after: async (client: HomeClient, step: FlowStep, end: () => Promise<void>): Promise<FlowStep> => {
    let hasEnded = false;
    await client.subscribe('data_entry_flow_progressed', (data) => {
      hasEnded ||= (data as { readonly flow_id: string }).flow_id === step.flow_id;
    });
    await end();
    await until('the flow goes on', () => hasEnded);
    return flow.next(client, step, {});
  },
};

/** Pairs a flow that asks for digits: the panel's are typed, then the panel is touched. */
export async function pair(client: HomeClient, agent: Agent, digits: FlowStep): Promise<FlowStep> {
  const shown = await asked(agent);
  const step = await flow.next(client, digits, { digits: shown.code });
  if (step.type !== 'progress') throw new Error(`the digits were not accepted: ${JSON.stringify(step)}`);
  return flow.after(client, step, () => answer(agent, shown, 'hold'));
}

/** Adds a panel at an address by hand; returns its entry. */
export async function addPanel(
  client: HomeClient,
  agent: Agent,
  port = agent.port,
): Promise<NonNullable<FlowStep['result']>> {
  const step = await flow.next(client, await flow.begin(client), { host: '127.0.0.1', port });
  if (step.step_id !== 'digits') throw new Error(`no digits are asked for: ${JSON.stringify(step)}`);
  const { result } = await pair(client, agent, step);
  if (result === undefined) throw new Error('no entry was made');
  return result;
}

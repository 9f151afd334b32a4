import { post, until } from './live-agent.ts';

type Json = Readonly<Record<string, unknown>>;

/**
 * Saves what needs a person at the panel of a simulated agent, and agrees there; the title of the question. It is in
 * force when this returns.
 */
export async function agreedAtPanel(url: string, patch: Readonly<Record<string, unknown>>): Promise<string> {
  const json = async (path: string): Promise<Json> => (await (await fetch(`${url}/api/v1/${path}`)).json()) as Json;
  const asked = await post(`${url}/api/v1/config`, patch);
  const { approval_id: id, error } = (await asked.json()) as Json;
  if (asked.status !== 202 || typeof id !== 'string')
    throw new Error(`it was answered without a question: ${asked.status} ${String(error)}`);
  const title = await until('the question', async () => {
    const shown = (await json('simulator/approvals'))['shown'] as Json | null;
    return shown?.['id'] === id && String(shown['title']);
  });
  await post(`${url}/api/v1/simulator`, { approval: id, answer: 'hold' });
  await until('what was agreed to', async () => {
    const values = (await json('config'))['settings'] as Json;
    return Object.entries(patch).every(([key, value]) => values[key] === value);
  });
  return title;
}

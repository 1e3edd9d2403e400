import { hashOfKey, refusalOf } from '#areas/mandates/refusals.ts';
import type { Mandates } from '#areas/mandates/service.ts';
import type { Agents } from '#areas/wallet/agents.ts';
import { suspended } from '#kernel/api-key.ts';
import { Refusal } from '#kernel/problem.ts';
import { AGENT_KEY_HEADER, hashOfAgentKey } from '#platform/ledger/caller.ts';
import type { Binding } from '#transport/http/call-steps.ts';

export const PLATFORM_KEY_HEADER = 'x-amh-key';

interface Judges {
  readonly agents: Pick<Agents, 'authenticate' | 'recognise'>;
  readonly mandates: Pick<Mandates, 'platformOfKey'>;
}

/** Judges the key of a call whose row needs one, by its header alone: whoever is refused for it sent a body for nothing. */
export function keyJudge({ agents, mandates }: Judges): NonNullable<Binding['unauthorized']> {
  return ({ auth, problems }, headers, looksUp) => {
    if (auth === 'agent') {
      const key = textOf(headers[AGENT_KEY_HEADER]);
      const hash = hashOfAgentKey(key);
      if (hash instanceof Refusal) return hash;
      if (!looksUp) return undefined;
      // Some calls are open to a suspended agent too.
      return refusalIn(problems.includes(suspended) ? agents.authenticate(key) : agents.recognise(key));
    }
    if (auth !== 'platform') return undefined;
    const key = textOf(headers[PLATFORM_KEY_HEADER]);
    const hash = hashOfKey(key);
    if (hash instanceof Refusal) return hash;
    if (!looksUp) return undefined;
    return mandates
      .platformOfKey(key as string)
      .then((id) => (id === undefined ? refusalOf('key_invalid') : undefined));
  };
}

async function refusalIn(caller: Promise<object>): Promise<Refusal | undefined> {
  const found = await caller;
  return found instanceof Refusal ? found : undefined;
}

function textOf(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header.join(', ') : header;
}

import { agentStep } from '#areas/wallet/unit.ts';
import type { AgentCommand } from '#areas/wallet/decide.ts';
import { readConfig } from '#platform/config/config.ts';
import { readSecrets } from '#platform/config/secrets.ts';
import { sha256Hex } from '#kernel/ids.ts';
import { checkpointKeys } from '#platform/keys/key-view.ts';
import { isRefused, ledger } from '#platform/ledger/steps.ts';
import { attachToLog } from '#platform/log/public-log.ts';
import { statementStep } from '#platform/log/statement-unit.ts';
import type { Step } from '#platform/storage/store.ts';
import { openFoundation } from '#platform/foundation.ts';
import { givenArguments } from './arguments.ts';
import { type Command, type Terminal, UsageError } from './command.ts';

const USAGE_ERROR = 'agents takes founder, suspend, resume or unfreeze, and an agent id';

/** What the operator does to an agent, and what the log says of it. */
const ACTIONS: Readonly<Record<string, (agentId: string) => { step: Step; said: string; statement?: string }>> = {
  founder: (agentId) => ({
    step: agentStep({ type: 'founder', agentId }),
    said: 'is the founder; the keys of the former one lost github:write',
    statement: `founder.designated sha256:${sha256Hex(agentId)}`,
  }),
  suspend: (agentId) => ({ step: agentStep({ type: 'status', agentId, status: 'suspended' }), said: 'is suspended' }),
  resume: (agentId) => ({ step: agentStep({ type: 'status', agentId, status: 'active' }), said: 'is active' }),
  unfreeze: (agentId) => ({ step: ledger.freeze({ agentId, frozen: false }), said: 'has a wallet that pays again' }),
};

export const agentsCommand: Command = {
  name: 'agents',
  summary: 'designate the founder, suspend an agent or let it resume, unfreeze its wallet',
  usage: 'agents founder|suspend|resume|unfreeze <agent id>',
  examples: ['./avouch agents founder agt_0123456789abcdefghjkmnpqrs'],
  async run(args, terminal) {
    const [name = '', agentId, ...more] = givenArguments(args, {}, USAGE_ERROR).positionals;
    const action = Object.hasOwn(ACTIONS, name) ? ACTIONS[name] : undefined;
    if (action === undefined || agentId === undefined || more.length > 0) throw new UsageError(USAGE_ERROR);
    const config = readConfig(terminal.env);
    await using foundation = await openFoundation({ config, secrets: readSecrets(config) }, false);
    const { store, keyRing } = foundation;
    const { step, said, statement } = action(agentId);
    if (statement !== undefined) {
      await attachToLog(store, (sequencer) => store.attachLog(sequencer), checkpointKeys(keyRing));
    }
    const sealed = statement === undefined ? [] : [statementStep(statement, config.profile === 'sandbox')];
    const [result] = await store.runAll([step, ...sealed], isRefused);
    if (isRefused(result)) throw new Error('no agent has this id');
    terminal.out(`${agentId} ${said}\n`);
    return 0;
  },
};

const REFUSED: Readonly<Record<string, string>> = {
  key_not_found: 'no live key has this id',
  not_the_founder: 'github:write is only for a key of the founder: ./avouch agents founder <agent id> says who that is',
};

/** Gives one key of an agent a scope. */
export async function grantScope(
  command: Pick<Extract<AgentCommand, { type: 'grant' }>, 'keyId' | 'scope'>,
  terminal: Terminal,
): Promise<number> {
  const config = readConfig(terminal.env);
  await using foundation = await openFoundation({ config, secrets: readSecrets(config) }, false);
  const [result] = await foundation.store.runAll([agentStep({ type: 'grant', ...command })]);
  if (result?.type !== 'done') throw new Error(REFUSED[result?.code ?? ''] ?? 'refused');
  terminal.out(`${command.keyId} has ${result.key.scopes.join(', ')}\n`);
  return 0;
}

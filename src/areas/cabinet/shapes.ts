import { z } from 'zod';
import { timeField } from '#kernel/fields.ts';
import { AgentName, eur, head } from './fields.ts';

const ALERTS = [
  'low_balance',
  'frozen',
  'topup_in_review',
  'key_unused',
  'ledger_halted',
  'suspended',
  'not_yet_yours',
  'no_key',
  'task_waits',
] as const;

const Balance = z
  .strictObject({
    agent_id: z.string(),
    untrusted_name: z.string(),
    status: z.enum(['active', 'suspended']),
    owner_verified: z.boolean(),
    posted_eur: eur,
    held_eur: eur,
    available_eur: eur,
    receivable_eur: eur,
    frozen: z.boolean(),
    live_keys: z.int(),
    created_at: timeField,
    last_used_at: timeField.nullable().meta({ description: 'Last use of any of its keys.' }),
  })
  .meta({ id: 'CabinetBalance' });

export const SPEND_GROUPS = ['kind', 'agent', 'capability'] as const;

const spending = {
  from: z.string(),
  to: z.string(),
  group_by: z.enum(SPEND_GROUPS),
  whats: z.array(z.string()).meta({
    description: 'Kinds of ledger entries, agent ids, or capabilities and kinds: by group_by, highest amount first.',
  }),
  counts: z.array(z.int()).meta({ description: 'Number of charges, in the order of whats.' }),
  days: z.array(z.strictObject({ day: z.string(), total_eur: eur, amounts_eur: z.array(eur) })),
  totals_eur: z.array(eur),
  total_eur: eur,
};

const nextBefore = z.string().nullable().meta({ description: 'Null at the end.' });
const oneAgent = z.string().nullable().meta({ description: 'Null for all agents.' });

export const CabinetOverview = z
  .strictObject({
    ...head,
    agents: z.array(Balance),
    agent_id: oneAgent,
    total_available_eur: eur,
    total_held_eur: eur,
    spending: z.strictObject(spending),
    balance: z
      .array(z.strictObject({ day: z.string(), balance_eur: eur }))
      .meta({ description: 'Available and on hold at the end of each day, oldest first.' }),
    calls_24h: z
      .strictObject({
        total: z.int(),
        failed: z.int(),
        at_least: z.boolean().meta({ description: 'True if an agent made more.' }),
      })
      .meta({ description: 'Calls of the last 24 hours, at most 10,000 per agent.' }),
    recent: z
      .array(
        z.strictObject({
          seq: z.int(),
          at: timeField,
          agent_id: z.string(),
          kind: z.string(),
          capability: z.string().nullable(),
          ref: z.string().nullable(),
          amount_eur: eur,
        }),
      )
      .meta({ description: 'The newest ledger entries.' }),
    alerts: z.array(
      z.strictObject({ kind: z.enum(ALERTS), agent_id: z.string().nullable(), text: z.string(), href: z.string() }),
    ),
  })
  .meta({ id: 'CabinetOverview' });

export const CabinetLedger = z
  .strictObject({
    ...head,
    agents: z.array(AgentName),
    agent_id: z.string().nullable(),
    kinds: z.array(z.string()),
    kind: z.string().nullable(),
    items: z.array(
      z.strictObject({
        seq: z.int(),
        tx_id: z.string(),
        agent_id: z.string(),
        at: timeField,
        kind: z.string(),
        ref: z.string().nullable(),
        amount_eur: eur,
        balance_after_eur: eur,
        hash: z.string(),
      }),
    ),
    next_before_seq: z.int().nullable(),
  })
  .meta({ id: 'CabinetLedger' });

export const CabinetSpend = z
  .strictObject({ ...head, agents: z.array(AgentName), agent_id: oneAgent, ...spending })
  .meta({ id: 'CabinetSpend' });

const TopUp = z
  .strictObject({
    topup_id: z.string(),
    agent_id: z.string(),
    tier: z.string(),
    price_eur: z.number(),
    status: z.string(),
    checkout_url: z.string().nullable(),
    created_at: timeField,
    credited_at: timeField.nullable(),
    review: z.string().nullable(),
  })
  .meta({ id: 'CabinetTopUp' });

export const CabinetTopUps = z
  .strictObject({
    ...head,
    agents: z.array(z.strictObject({ agent_id: z.string(), untrusted_name: z.string(), available_eur: eur })),
    tiers: z.array(z.strictObject({ tier: z.string(), price_eur: z.number(), estimated_calls: z.string() })),
    topups: z.array(TopUp).meta({ description: 'Newest first.' }),
    started: TopUp.nullable().meta({ description: 'The top-up that this call started.' }),
  })
  .meta({ id: 'CabinetTopUps' });

const History = z.strictObject({ state: z.string(), at: timeField, attestation_id: z.string().nullable() });

const TaskLine = z
  .strictObject({
    task_id: z.string(),
    agent_id: z.string(),
    state: z.string(),
    route: z.string().nullable(),
    untrusted_need: z.string(),
    attestation_id: z.string().nullable(),
    created_at: timeField,
    updated_at: timeField,
    cancellable: z.boolean(),
  })
  .meta({ id: 'CabinetTask' });

export const CabinetTasks = z
  .strictObject({
    ...head,
    agents: z.array(AgentName),
    tasks: z.array(TaskLine).meta({ description: 'Newest first, at most 50.' }),
    next_before: nextBefore,
    task: z
      .strictObject({
        ...TaskLine.shape,
        questions: z.array(z.string()),
        price_eur: eur.nullable(),
        error: z.string().nullable(),
        receipt_id: z.string(),
        result: z.unknown().meta({ description: 'Present when the task is completed.' }),
        evidence: z.strictObject({
          root: z.string(),
          chain_ok: z.boolean(),
          steps: z.array(z.strictObject({ n: z.int(), name: z.string(), at: timeField, hash: z.string().nullable() })),
        }),
      })
      .nullable()
      .meta({ description: 'The task with the requested task_id.' }),
  })
  .meta({ id: 'CabinetTasks' });

const OrderLine = z
  .strictObject({
    order_id: z.string(),
    agent_id: z.string(),
    state: z.string(),
    untrusted_supplier: z.string(),
    channel: z.string(),
    goods_total_eur: eur,
    fee_eur: eur,
    fee_state: z.string(),
    history: z.array(History),
    cancellable: z.boolean(),
  })
  .meta({ id: 'CabinetOrder' });

export const CabinetOrders = z
  .strictObject({
    ...head,
    agents: z.array(AgentName),
    orders: z.array(OrderLine).meta({ description: 'Newest first, at most 50.' }),
    next_before: nextBefore,
    order: z
      .strictObject({
        ...OrderLine.shape,
        lines: z.array(z.strictObject({ sku: z.string(), qty: z.string(), total_eur: eur })),
        mandate_id: z.string().nullable(),
      })
      .nullable()
      .meta({ description: 'The order with the requested order_id.' }),
  })
  .meta({ id: 'CabinetOrders' });

export const CabinetCalls = z
  .strictObject({
    ...head,
    agents: z.array(AgentName),
    agent_id: z.string().nullable(),
    items: z.array(
      z.strictObject({
        at: timeField,
        operation: z.string(),
        status: z.int().nullable().meta({ description: 'Null for a ledger entry.' }),
        code: z.string().nullable(),
        ms: z.int().nullable(),
        price_eur: eur.nullable().meta({ description: 'As in the ledger: positive for money coming in.' }),
        receipt: z.string().nullable().meta({ description: 'Reference of the ledger entry. Null for a call.' }),
      }),
    ),
    next_before: timeField.nullable(),
  })
  .meta({ id: 'CabinetCalls' });

const MandateLine = z
  .strictObject({
    mandate_id: z.string(),
    agent_id: z.string(),
    status: z.string(),
    assurance: z.string(),
    actions: z.array(z.string()),
    currency: z.string(),
    valid_from: timeField,
    valid_until: timeField,
    attestation_id: z.string(),
  })
  .meta({ id: 'CabinetMandate' });

export const CabinetMandates = z
  .strictObject({
    ...head,
    agents: z.array(AgentName),
    mandates: z.array(MandateLine).meta({ description: 'Newest first, at most 50.' }),
    next_before: nextBefore,
    opened: z
      .record(z.string(), z.unknown())
      .nullable()
      .meta({ description: 'Details that require the control token, or the response of the revocation.' }),
  })
  .meta({ id: 'CabinetMandates' });

export const CabinetKeys = z
  .strictObject({
    ...head,
    agents: z.array(
      z.strictObject({
        agent_id: z.string(),
        untrusted_name: z.string(),
        keys: z.array(
          z.strictObject({
            key_id: z.string(),
            scopes: z.array(z.string()),
            created_at: timeField,
            last_used_at: timeField.nullable(),
            revoked_at: timeField.nullable(),
          }),
        ),
      }),
    ),
    new_key: z
      .strictObject({ agent_id: z.string(), key_id: z.string(), agent_key: z.string() })
      .nullable()
      .meta({ description: 'Shown once.' }),
    ended_key: z.string().nullable().meta({ description: 'The key that this call revoked.' }),
  })
  .meta({ id: 'CabinetKeys' });

export const CabinetSessions = z
  .strictObject({
    ...head,
    sessions: z.array(
      z.strictObject({
        session_id: z.string(),
        created_at: timeField,
        last_used_at: timeField,
        ends_at: timeField,
        untrusted_user_agent: z.string(),
        this_one: z.boolean(),
      }),
    ),
  })
  .meta({ id: 'CabinetSessions' });

export const CabinetAccount = z
  .strictObject({
    ...head,
    agents: z.int(),
    total_available_eur: eur,
    in_use: z.array(z.string()).meta({ description: 'What blocks the deletion.' }),
    deletes: z.array(z.string()),
    keeps: z.array(z.string()),
    export: z.string(),
  })
  .meta({ id: 'CabinetAccount' });

export const CabinetDeleted = z
  .strictObject({ status: z.literal('deleted'), agents: z.int(), keeps: z.array(z.string()) })
  .meta({ id: 'CabinetDeleted' });

export const CabinetExport = z
  .strictObject({
    email: z.string(),
    exported_at: timeField,
    agents: z.array(z.record(z.string(), z.unknown())),
    sessions: z.array(z.record(z.string(), z.unknown())),
  })
  .meta({ id: 'CabinetExport' });

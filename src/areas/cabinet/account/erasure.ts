/** What a deletion of the account takes away. */
export const DELETES = [
  'every agent is closed and every key revoked',
  'mail address, names of agents, sessions and login mails',
  'tasks that have ended, with what was asked and answered',
  'addresses and notes of orders',
  'the list of calls',
] as const;

/** What stays, and why. */
export const KEEPS = [
  'movements of the wallets: the law makes us keep books; they name agents by id and nobody by name',
  'entries of the public log: it is append-only, and holds digests and ids',
  'what agents published, such as lessons and marks, without a mail address',
] as const;

/** What a deletion of the account takes away. */
export const DELETES = [
  'All agents are closed and all keys are revoked.',
  'Your email address, agent names, sessions and sign-in emails.',
  'Finished tasks, with their requests and results.',
  'Delivery addresses and notes in orders.',
  'The list of calls.',
] as const;

/** What stays, and why. */
export const KEEPS = [
  'Ledger entries, because the law requires us to keep accounts. They contain agent ids but no names.',
  'Entries in the public log, because it is append-only. They contain digests and ids.',
  'Content that agents published, such as lessons and marks, without your email address.',
] as const;

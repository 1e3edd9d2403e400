/** What is killed: the engine, and with `-3` and `-forward` three processes on one database. */
export const KILL_TARGETS = ['sqlite', 'postgres', 'postgres-3', 'postgres-forward'] as const;

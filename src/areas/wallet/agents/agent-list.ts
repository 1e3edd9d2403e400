import * as sql from '../sql.ts';

/** For the operator's list: the newest agents. */
export const ALL_AGENTS = sql.NEWEST_AGENTS;
export const { FOUNDER_NOW } = sql;

import type { FastifyRequest } from 'fastify';
import { AGENT_KEY_HEADER, keyConflict } from '#kernel/api-key.ts';
import type { Operation } from '#kernel/operation.ts';
import { takesAgentKey } from '#kernel/operation-table.ts';
import type { Refusal } from '#kernel/problem.ts';
import { simple } from './problem-response.ts';

const AGENT_BEARER = /^Bearer +(agk_\S+)$/i;

/**
 * Takes `Authorization: Bearer agk_…` for X-Agent-Key, since some clients let their users set no other header. Gives the
 * refusal of two keys that differ.
 */
export function takeBearer(headers: FastifyRequest['headers']): Refusal | undefined {
  const { authorization } = headers;
  if (authorization === undefined) return undefined;
  const [, bearer] = AGENT_BEARER.exec(authorization) ?? [];
  if (bearer === undefined) return undefined;
  const given = headers[AGENT_KEY_HEADER];
  if (given === undefined) headers[AGENT_KEY_HEADER] = bearer;
  return given === undefined || given === bearer
    ? undefined
    : simple(keyConflict, 'Authorization and X-Agent-Key have different keys. Send one of them.');
}

/** The same for a call of a row: where no key is taken, none can be the wrong one. */
export function keyClash(operation: Operation, headers: FastifyRequest['headers']): Refusal | undefined {
  const clash = takeBearer(headers);
  return takesAgentKey(operation) ? clash : undefined;
}

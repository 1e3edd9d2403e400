import { z } from 'zod';
import { idForm } from './ids.ts';

/** A moment as answers give it: ISO 8601 in UTC. */
export const timeField = z.iso.datetime();

/** @param what the id with its article, as whoever sends something else is told */
export function idField(prefix: string, what: string) {
  return z.string().regex(idForm(prefix), `Must be ${what}: ${prefix} and 26 characters.`);
}

export const taskIdField = idField('tsk_', 'a task id').meta({ description: 'Task id.' });
export const orderIdField = idField('ord_', 'an order id').meta({ description: 'Order id.' });
export const mandateIdField = idField('mnd_', 'a mandate id').meta({ description: 'Mandate id.' });
export const keyIdField = idField('key_', 'a key id').meta({ description: 'Key id.' });

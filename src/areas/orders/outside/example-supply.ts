import { z } from 'zod';
import { ConfiguredHost } from '#platform/outbound/configured-host.ts';
import { OutboundError } from '#platform/outbound/exchange.ts';
import { VERSION } from '#platform/version.ts';
import { type Order, ORDER_STATES } from '../order/order.ts';
import type { SupplierChannel, SupplierState } from '../order/order-ports.ts';

const Placed = z.object({ order: z.string().min(1).max(200) });
const Cancelled = z.object({ reference: z.string() });
const Status = z.object({ state: z.enum([...ORDER_STATES, 'received']) });
const DEADLINE_MS = 5_000;

/** The supplier that simulators play; its connections end with the stack. */
export function exampleSupply(simulatorUrl: string, patience: number, stack: AsyncDisposableStack): ExampleSupply {
  const host = new ConfiguredHost({ baseUrl: `${simulatorUrl}/example-supply`, userAgent: `avouch/${VERSION}` });
  return new ExampleSupply(stack.use(host), patience);
}

/** The supplier of the sandbox, which takes orders and answers about them. */
class ExampleSupply implements SupplierChannel {
  readonly supplier = 'EXAMPLE-SUPPLY';
  readonly #host: ConfiguredHost;
  readonly #deadlineMs: number;

  constructor(host: ConfiguredHost, patience = 1) {
    this.#host = host;
    this.#deadlineMs = patience * DEADLINE_MS;
  }

  async place({ id, lines }: Order): Promise<string | null> {
    const body = JSON.stringify({ reference: id, lines: lines.map(({ sku, qty }) => ({ sku, qty })) });
    return (await this.#ask(Placed, { method: 'POST', path: '/orders', body }))?.order ?? null;
  }

  async status(ref: string): Promise<SupplierState | null> {
    return (await this.#ask(Status, { method: 'GET', path: `/orders/${encodeURIComponent(ref)}` }))?.state ?? null;
  }

  async cancel({ id }: Order): Promise<boolean> {
    const body = JSON.stringify({ reference: id });
    return (await this.#ask(Cancelled, { method: 'POST', path: '/cancellations', body }))?.reference === id;
  }

  /** Null where no answer of the known form comes in time: it is asked again later. */
  async #ask<S extends z.ZodType>(
    schema: S,
    request: { method: 'GET' | 'POST'; path: string; body?: string },
  ): Promise<z.output<S> | null> {
    try {
      const headers = { 'content-type': 'application/json' };
      const signal = AbortSignal.timeout(this.#deadlineMs);
      const { status, body } = await this.#host.ask({ ...request, headers, signal });
      const read = status === 200 || status === 201 ? schema.safeParse(JSON.parse(body.toString())) : null;
      return read?.success ? read.data : null;
    } catch (error) {
      if (error instanceof OutboundError || error instanceof SyntaxError) return null;
      throw error;
    }
  }
}

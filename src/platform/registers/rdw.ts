import { z } from 'zod';
import type { ConfiguredHost } from '#platform/outbound/configured-host.ts';
import type { RegisterOutcome } from './outcome.ts';
import type { Asking, RegisterClient } from './resilience/register-client.ts';
import { readJson, requireEcho, statusError } from './wire.ts';

const text = z.string().max(200).optional();

const Vehicle = z.object({
  kenteken: z.string(),
  voertuigsoort: text,
  merk: text,
  handelsbenaming: text,
  vervaldatum_apk: text,
  wam_verzekerd: text,
  datum_eerste_toelating: text,
  datum_eerste_tenaamstelling_in_nederland: text,
  datum_tenaamstelling: text,
  datum_eerste_afgifte_nederland: text, // the older name of the same date
  export_indicator: text,
  openstaande_terugroepactie_indicator: text,
  taxi_indicator: text,
  tellerstandoordeel: text,
  code_toelichting_tellerstandoordeel: text,
  tenaamstellen_mogelijk: text,
  jaar_laatste_registratie_tellerstand: text,
  wacht_op_keuren: text,
  catalogusprijs: text,
  bruto_bpm: text,
});
const Fuel = z.object({
  kenteken: z.string(),
  brandstof_omschrijving: text,
  co2_uitstoot_gecombineerd: text,
  emissie_co2_gecombineerd_wltp: text,
  uitlaatemissieniveau: text,
  emissiecode_omschrijving: text,
});
const Recall = z.object({ kenteken: z.string(), referentiecode_rdw: z.string(), code_status: z.string() });

export interface DutchVehicle {
  readonly vehicle: z.output<typeof Vehicle>;
  /** Data sets of their own, each fetched or kept for itself; they may be silent beside a vehicle that was found. */
  readonly fuels: RegisterOutcome<readonly z.output<typeof Fuel>[]>;
  readonly recalls: RegisterOutcome<readonly z.output<typeof Recall>[]>;
}

const DATASETS = {
  vehicle: { id: 'm9d7-ebf2', row: Vehicle },
  fuel: { id: '8ys7-d773', row: Fuel },
  recall: { id: 't49b-isb7', row: Recall },
} as const;

export class Rdw {
  readonly client: RegisterClient;
  readonly #host: ConfiguredHost;
  readonly #appToken: () => string | null;

  constructor(client: RegisterClient, parts: { host: ConfiguredHost; appToken: () => string | null }) {
    this.client = client;
    this.#host = parts.host;
    this.#appToken = parts.appToken;
  }

  /** The vehicle itself must answer; fuel and recalls may be missing from an answer. */
  async vehicle(kenteken: string, asking: Asking = {}): Promise<RegisterOutcome<DutchVehicle>> {
    const [base, fuels, recalls] = await Promise.all([
      this.#rows('vehicle', kenteken, asking),
      this.#rows('fuel', kenteken, asking),
      this.#rows('recall', kenteken, asking),
    ]);
    if (base.kind !== 'answered') return base;
    const vehicle = base.value[0] as z.output<typeof Vehicle>;
    return { ...base, value: { vehicle, fuels, recalls } };
  }

  #rows<D extends keyof typeof DATASETS>(
    dataset: D,
    kenteken: string,
    asking: Asking,
  ): Promise<RegisterOutcome<z.output<(typeof DATASETS)[D]['row']>[]>> {
    const { id, row } = DATASETS[dataset];
    return this.client.ask({
      lane: dataset,
      key: `${dataset} ${kenteken}`,
      ...asking,
      attempt: async (session) => {
        const token = this.#appToken();
        const headers = { accept: 'application/json', ...(token !== null && { 'x-app-token': token }) };
        const answer = await session.send(this.#host, { path: `/resource/${id}.json`, query: { kenteken }, headers });
        if (answer.status !== 200) throw statusError(answer);
        const rows = readJson(answer, z.array(row)) as z.output<(typeof DATASETS)[D]['row']>[];
        for (const { kenteken: echoed } of rows) requireEcho(echoed, kenteken);
        const isUnknown = dataset === 'vehicle' && rows.length === 0;
        return isUnknown ? { kind: 'not_found' } : { kind: 'answered', value: rows };
      },
    });
  }
}

// A service with everything switched on, the OpenAPI document that it serves, and what that says against a value.
import { rm } from 'node:fs/promises';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { Answer } from '../support/client.ts';
import { TestService } from '../support/service.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { REGISTRY_KEY } from '../support/shared-service.ts';
import { WEBHOOK_SECRET } from '../support/topup.ts';
import { TestWitness, witnessedBy } from '../support/witness.ts';

interface Media {
  readonly schema: object;
  readonly examples?: Readonly<Record<string, Example>>;
}
/** An example, or the name of one that many places share. */
type Example = { readonly value: unknown } | { readonly $ref: string };
interface Content {
  readonly content: Readonly<Record<string, Media>>;
}
export interface OperationObject {
  readonly operationId: string;
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, Content>>;
  readonly 'x-rate-class': string;
  readonly 'x-problem-codes': readonly string[];
}
interface Document {
  readonly openapi: string;
  readonly info: { readonly version: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, object>>;
    readonly examples: Readonly<Record<string, { readonly value: unknown }>>;
  };
}

/** Answered before it is known which operation was meant, hence declared by none. */
const OF_NO_OPERATION = ['malformed_request', 'headers_too_large', 'request_timeout'];

export class Contract implements AsyncDisposable {
  readonly service: TestService;
  readonly document: Document;
  // The code of a validator runs a few times here: making it shorter takes longer than it saves.
  readonly #ajv = new Ajv2020({ strict: true, allErrors: true, code: { optimize: false } });
  /** By the text of the schema: many places have the same one. */
  readonly #validators = new Map<string, ValidateFunction>();
  readonly #texts = new Map<object, string>();

  private constructor(service: TestService, document: Document) {
    this.service = service;
    this.document = document;
    addFormats.default(this.#ajv);
    for (const [name, schema] of Object.entries(document.components.schemas)) {
      this.#ajv.addSchema(JSON.parse(alone(schema)) as object, name);
    }
  }

  static async open(): Promise<Contract> {
    const folder = await temporaryDirectory();
    const witnessed = witnessedBy(folder, [new TestWitness(1)], 1);
    const service = await TestService.start({
      ...witnessed,
      env: { ...witnessed.env, ...REGISTRY_KEY, AVOUCH_STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET },
      opensSettlement: true,
    });
    await service.runNow('publish');
    await service.runNow('witness');
    await rm(folder, { recursive: true });
    return new Contract(service, (await service.call('/openapi.json')).json as unknown as Document);
  }

  operations(): { path: string; method: string; object: OperationObject }[] {
    return Object.entries(this.document.paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, object]) => ({ path, method, object })),
    );
  }

  /** The value of an example, wherever it stands. */
  valueOf(example: Example): unknown {
    if ('value' in example) return example.value;
    return this.document.components.examples[example.$ref.replace('#/components/examples/', '')]?.value;
  }

  /** What is wrong with a value by a schema of the document; undefined when nothing is. */
  faultBySchema(schema: object, value: unknown): string | undefined {
    const text = this.#texts.get(schema) ?? alone(schema);
    this.#texts.set(schema, text);
    const validate = this.#validators.get(text) ?? this.#ajv.compile(JSON.parse(text) as object);
    this.#validators.set(text, validate);
    return validate(value) ? undefined : this.#ajv.errorsText(validate.errors);
  }

  /** What is wrong with an answer of an operation; undefined when it is declared and valid. */
  faultOf(object: OperationObject, answer: Pick<Answer, 'status' | 'headers' | 'text'>): string | undefined {
    const { status, headers, text } = answer;
    const type = (headers['content-type'] ?? '').replace(/;.*/, '');
    const body: unknown = /[/+]json$/.test(type) ? JSON.parse(text) : text;
    const code = status < 300 ? undefined : (body as { code: string }).code;
    if (code !== undefined && OF_NO_OPERATION.includes(code)) {
      return this.faultBySchema(this.document.components.schemas['Problem'] as object, body);
    }
    if (code !== undefined && !object['x-problem-codes'].includes(code)) return `${code} is not promised`;
    const media = object.responses[status]?.content[type];
    return media === undefined ? `${type} with ${status} is not declared` : this.faultBySchema(media.schema, body);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.service[Symbol.asyncDispose]();
  }
}

/** The text of a schema whose references are the names of the components. */
function alone(schema: object): string {
  return JSON.stringify(schema).replaceAll('"#/components/schemas/', '"');
}

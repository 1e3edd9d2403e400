import { z } from 'zod';
import { OPERATIONS } from '../../src/areas.ts';
import { clientRoute } from './client-route.ts';

type Schema = { readonly [member: string]: unknown };
type Direction = 'input' | 'output';

/** What the client reads answers as that are not JSON or text. */
const TYPES: Readonly<Record<string, string>> = {
  bytes: 'Uint8Array',
  stream: 'ReadableStream<Uint8Array>',
};

/** What every operation takes and answers, in types that need nothing of the service. */
export function clientTypes(): string {
  const named = new Map<string, string>();
  const shapes = (io: Direction) =>
    OPERATIONS.map((row) => {
      const other = io === 'output' ? TYPES[clientRoute(row).answer ?? ''] : undefined;
      return `  ${row.operationId}: ${other ?? new Printer(io, named).shape(row[io], '  ')};`;
    }).join('\n');
  const [inputs, outputs] = [shapes('input'), shapes('output')];
  const types = [...named].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `// Generated from the operation table by node scripts/generate-docs.ts; changes are made in the tables.
// biome-ignore-all format: generated

${types.map(([name, type]) => `export type ${name} = ${type};`).join('\n')}

/** What each operation takes. */
export interface Inputs {
${inputs}
}

/** What each operation answers when it did what was asked. */
export interface Outputs {
${outputs}
}
`;
}

/** Prints JSON Schema as TypeScript; what has a name in the interface document has it here too. */
class Printer {
  readonly #io: Direction;
  readonly #named: Map<string, string>;
  readonly #names = new Map<string, string>();

  constructor(io: Direction, named: Map<string, string>) {
    this.#io = io;
    this.#named = named;
  }

  shape(schema: z.ZodType, indent: string): string {
    const { $defs = {}, ...root } = z.toJSONSchema(schema, { io: this.#io, unrepresentable: 'any' }) as Schema & {
      $defs?: Record<string, Schema>;
    };
    for (const name of Object.keys($defs)) this.#names.set(name, name);
    for (const [name, one] of Object.entries($defs)) this.#define(name, this.#type(one));
    return this.#type(root, indent);
  }

  #define(name: string, type: string): void {
    const known = this.#named.get(name);
    // Every use of the name was printed with it, so a second meaning cannot be told apart.
    if (known !== undefined && known !== type) throw new Error(`${name} has two shapes`);
    this.#named.set(name, type);
  }

  #type(schema: Schema, indent = ''): string {
    const { $ref, const: only, enum: choices, anyOf, allOf, type } = schema;
    if (typeof $ref === 'string') return this.#names.get($ref.replace('#/$defs/', '')) as string;
    if (only !== undefined) return literal(only);
    if (Array.isArray(choices)) return union(choices.map(literal));
    if (Array.isArray(anyOf)) return union(anyOf.map((one: Schema) => this.#type(one, indent)));
    if (Array.isArray(allOf)) return allOf.map((one: Schema) => `(${this.#type(one, indent)})`).join(' & ');
    const kinds = [type].flat() as (string | undefined)[];
    return union(kinds.map((kind) => this.#kind(kind, schema, indent)));
  }

  #kind(kind: string | undefined, schema: Schema, indent: string): string {
    switch (kind) {
      case 'integer':
      case 'number':
        return 'number';
      case 'string':
      case 'boolean':
      case 'null':
        return kind;
      case 'array':
        return this.#list(schema, indent);
      case 'object':
        return this.#object(schema, indent);
      default:
        return 'unknown';
    }
  }

  #list({ items, prefixItems }: Schema, indent: string): string {
    if (Array.isArray(prefixItems)) {
      return `readonly [${prefixItems.map((one: Schema) => this.#type(one, indent)).join(', ')}]`;
    }
    const one = items === undefined ? 'unknown' : this.#type(items as Schema, indent);
    // One object, and not several side by side.
    const isObject = one.startsWith('{') && one.indexOf(`\n${indent}}`) === one.length - indent.length - 2;
    return isObject || /^\w+$/.test(one) ? `readonly ${one}[]` : `readonly (${one})[]`;
  }

  #object({ properties = {}, required = [], additionalProperties }: Schema, indent: string): string {
    const inner = `${indent}  `;
    const members = Object.entries(properties as Record<string, Schema>).map(([name, one]) => {
      const isOptional = !(required as string[]).includes(name);
      const given = this.#type(one, inner);
      const type = isOptional && this.#io === 'input' && given !== 'unknown' ? `${given} | undefined` : given;
      return `${docComment(one, inner)}${inner}${memberName(name)}${isOptional ? '?' : ''}: ${type};`;
    });
    const isOpen = typeof additionalProperties === 'object' || additionalProperties === true;
    if (isOpen && members.length === 0) {
      return `Readonly<Record<string, ${this.#type((additionalProperties ?? {}) as Schema, indent)}>>`;
    }
    if (isOpen) members.push(`${inner}readonly [member: string]: unknown;`);
    return members.length === 0 ? 'Record<string, never>' : `{\n${members.join('\n')}\n${indent}}`;
  }
}

function literal(value: unknown): string {
  return typeof value === 'string' ? `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'` : String(value);
}

function union(types: readonly string[]): string {
  const all = [...new Set(types)];
  return (all.includes('string') ? all.filter((type) => !type.startsWith("'")) : all).join(' | ');
}

function memberName(name: string): string {
  return /^[A-Za-z_]\w*$/.test(name) ? name : `'${name}'`;
}

function docComment({ description }: Schema, indent: string): string {
  return typeof description === 'string' ? `${indent}/** ${description.replaceAll('*/', '* /')} */\n` : '';
}

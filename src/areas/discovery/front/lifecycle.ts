import { type Html, html } from '#kernel/html.ts';

export interface Lifecycle {
  readonly nodes: readonly {
    readonly id: string;
    readonly label: string;
    /** Column and row. */
    readonly at: readonly [number, number];
    readonly tone?: 'accent';
  }[];
  readonly edges: readonly (readonly [from: string, to: string, label: string])[];
}

type Node = Lifecycle['nodes'][number];

const BOX = { width: 88, height: 38 };
const STEP = { x: 118, y: 84 };
const TOP = 24;
const MARGIN = 1;
const LABEL_GAP = 8;

/** A small drawing of what happens in which order. It has its natural size everywhere, so that its words stay readable. */
export function lifecycleSvg({ nodes, edges }: Lifecycle, title: string): Html {
  const columns = Math.max(...nodes.map(({ at: [column] }) => column)) + 1;
  const rows = Math.max(...nodes.map(({ at: [, row] }) => row)) + 1;
  const width = (columns - 1) * STEP.x + BOX.width + 2 * MARGIN;
  const height = TOP + (rows - 1) * STEP.y + BOX.height + MARGIN;
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const labels = (id: string) => byId.get(id)?.label ?? id;
  const said = edges.map(([from, to, label]) => `${labels(from)}, ${label}: ${labels(to)}`).join('. ');
  const lines = edges.map(([from, to, label]) => arrow(byId.get(from) as Node, byId.get(to) as Node, label));
  return html`<svg class="lifecycle" role="img" aria-label="${title}. ${said}." viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">${nodes.map(box)}${lines}</svg>`;
}

function placeOf({ at: [column, row] }: Node): { readonly x: number; readonly y: number } {
  return { x: MARGIN + column * STEP.x, y: TOP + row * STEP.y };
}

function box(node: Node): Html {
  const { x, y } = placeOf(node);
  return html`<g class="lifecycle-node${node.tone === 'accent' ? ' is-accent' : ''}"><rect x="${x}" y="${y}" width="${BOX.width}" height="${BOX.height}" rx="8"/><text x="${x + BOX.width / 2}" y="${y + BOX.height / 2 + 5}" text-anchor="middle">${node.label}</text></g>`;
}

/** Nodes of an edge are neighbours in a row or in a column. */
function arrow(from: Node, to: Node, label: string): Html {
  const [a, b] = [placeOf(from), placeOf(to)];
  if (a.y === b.y) {
    const [start, end] = [a.x + BOX.width, b.x];
    const y = a.y + BOX.height / 2;
    return html`<g class="lifecycle-edge"><path d="M${start} ${y}H${end - 2}M${end - 8} ${y - 5}l6 5l-6 5"/><text x="${(start + end) / 2}" y="${a.y - LABEL_GAP}" text-anchor="middle">${label}</text></g>`;
  }
  const x = a.x + BOX.width / 2;
  const [start, end] = [a.y + BOX.height, b.y];
  return html`<g class="lifecycle-edge"><path d="M${x} ${start}V${end - 2}M${x - 5} ${end - 8}l5 6l5 -6"/><text x="${x + LABEL_GAP}" y="${(start + end) / 2 + 4}">${label}</text></g>`;
}

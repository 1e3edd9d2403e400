// Bills of materials of 100 to 100,000 lines: computing in this thread.
//   node bench/bom.ts
import { performance } from 'node:perf_hooks';
import { decode } from '#kernel/query-decoder.ts';
import { BomBody, type TermsInput } from '#areas/orders/bom-fields.ts';
import { finish, prepare } from '#areas/orders/bom-job.ts';
import { calculate } from '#areas/orders/bom-calculate.ts';
import { billOf } from './_bom-bills.ts';
for (const lines of [100, 1000, 10000, 100000]) {
  const {bom} = billOf(lines);
  const t = {dec:[] as number[],prep:[] as number[],fin:[] as number[],calc:[] as number[]};
  for (let i=0;i<15;i++){
    const a=performance.now();
    const d = decode(BomBody,{bom,quantity:10}) as {input: TermsInput & {bom:unknown}};
    const b=performance.now();
    const {bom:bb,...terms}=d.input;
    const p = prepare({type:'decoded',bom:bb,terms},{nowMs:0,serviceRates:new Map()});
    if('faults' in p) throw new Error(JSON.stringify(p));
    const c=performance.now();
    calculate({bom:p.read.bom,order:p.read.order,terms:p.terms,offers:new Map(),nowMs:0});
    const c2=performance.now();
    const f = finish(p,new Map(),0);
    const e=performance.now();
    t.dec.push(b-a);t.prep.push(c-b);t.calc.push(c2-c);t.fin.push(e-c2);
    if(i===14) console.log(JSON.stringify('head' in f? [f.head.totals,f.head.coverage,f.lines.length]:f));
  }
  console.log(lines, Object.fromEntries(Object.entries(t).map(([k,v])=>[k,v.toSorted((a,b)=>a-b).filter((_,i)=>i===7||i===14).map(x=>x.toFixed(1))])));
}

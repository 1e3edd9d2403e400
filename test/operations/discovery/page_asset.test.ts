import assert from 'node:assert/strict';
import { assetPath, servedAsset } from '#web/assets.ts';
import { documentTest } from '../../support/documents.ts';
import { expectProblem } from '../../support/client.ts';

documentTest(
  'page_asset',
  async (service, statuses, { headers }) => {
    assert.equal(headers['cache-control'], 'public, max-age=31536000, immutable');
    for (const name of ['site.css', 'site.js', 'charts.js', 'htmx.js', 'uplot.js', 'uplot.css']) {
      const path = assetPath(name);
      const answer = statuses.saw(await service.call(path));
      assert.match(String(answer.headers['content-type']), name.endsWith('css') ? /^text\/css/ : /^text\/javascript/);
      const asked = await fetch(service.url + path, { headers: { 'accept-encoding': 'gzip' } });
      assert.deepEqual([asked.headers.get('content-encoding'), await asked.text()], ['gzip', answer.text], name);
      const bytes = servedAsset(path.slice('/assets/'.length))?.bytes as Uint8Array;
      assert.equal(new TextDecoder().decode(bytes), answer.text);
    }
    const refused = await service.call(assetPath('site.css'), { headers: { 'accept-encoding': 'gzip;q=0, deflate' } });
    assert.equal(refused.headers['content-encoding'], undefined);
    assert.equal(refused.headers.vary, 'Accept-Encoding');
    for (const name of ['site.css', '..', 'constructor', '..%2fpackage.json', 'site-000000000000.css']) {
      expectProblem(statuses.saw(await service.call(`/assets/${name}`)), 404, 'unknown_asset');
    }
  },
  assetPath('site.css'),
);

// The manifests for Kubernetes: each member is one that the API knows, and names that must agree do.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { inspectConfig } from '#platform/config/config.ts';
import { ROOT } from '../support/child-service.ts';
import { requireCommand } from '../support/command.ts';

const READ_YAML =
  'import sys, yaml, json; print(json.dumps([d for f in sys.argv[1:] for d in yaml.safe_load_all(open(f))]))';
const noReader = spawnSync('python3', ['-c', 'import yaml']).status !== 0 && 'not installed: python3-yaml';

/** A table of members; a list is a list of such, and a word is a plain value of that type. */
type Shape = 'string' | 'number' | 'boolean' | 'map' | readonly [Shape] | { readonly [member: string]: Shape };

const META: Shape = { name: 'string', labels: 'map' };
const SELECTOR: Shape = { matchLabels: 'map' };
const NAMED: Shape = { name: 'string' };
const PROBE: Shape = {
  httpGet: { path: 'string', port: 'string' },
  periodSeconds: 'number',
  timeoutSeconds: 'number',
  failureThreshold: 'number',
};
const CONTAINER: Shape = {
  name: 'string',
  image: 'string',
  ports: [{ name: 'string', containerPort: 'number' }],
  envFrom: [{ configMapRef: NAMED }],
  args: ['string'],
  env: [{ name: 'string', value: 'string', valueFrom: { fieldRef: { fieldPath: 'string' } } }],
  securityContext: {
    allowPrivilegeEscalation: 'boolean',
    readOnlyRootFilesystem: 'boolean',
    capabilities: { drop: ['string'] },
  },
  startupProbe: PROBE,
  livenessProbe: PROBE,
  readinessProbe: PROBE,
  resources: { requests: 'map', limits: 'map' },
  volumeMounts: [{ name: 'string', mountPath: 'string', readOnly: 'boolean' }],
};
const POD: Shape = {
  automountServiceAccountToken: 'boolean',
  terminationGracePeriodSeconds: 'number',
  securityContext: {
    runAsNonRoot: 'boolean',
    runAsUser: 'number',
    runAsGroup: 'number',
    fsGroup: 'number',
    seccompProfile: { type: 'string' },
  },
  restartPolicy: 'string',
  affinity: {
    podAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: [{ labelSelector: SELECTOR, topologyKey: 'string' }],
    },
  },
  containers: [CONTAINER],
  volumes: [
    {
      name: 'string',
      secret: { secretName: 'string', defaultMode: 'number' },
      emptyDir: { sizeLimit: 'string' },
      persistentVolumeClaim: { claimName: 'string' },
    },
  ],
};
const STORAGE: Shape = { accessModes: ['string'], resources: { requests: 'map' } };
const CLAIM: Shape = { metadata: META, spec: STORAGE };
const JOB: Shape = { backoffLimit: 'number', template: { metadata: META, spec: POD } };
const PEERS: Shape = {
  from: [{ namespaceSelector: SELECTOR, podSelector: SELECTOR }],
  ports: [{ protocol: 'string', port: 'number' }],
};

/** What the reference of the API lists, as far as the manifests use it. */
const KINDS: Readonly<Record<string, Shape>> = {
  'v1 ConfigMap': { data: 'map' },
  'v1 PersistentVolumeClaim': { spec: STORAGE },
  'batch/v1 Job': { spec: JOB },
  'batch/v1 CronJob': {
    spec: { schedule: 'string', concurrencyPolicy: 'string', jobTemplate: { spec: JOB } },
  },
  'v1 Service': { spec: { selector: 'map', ports: [{ name: 'string', port: 'number', targetPort: 'string' }] } },
  'apps/v1 StatefulSet': {
    spec: {
      serviceName: 'string',
      replicas: 'number',
      selector: SELECTOR,
      template: { metadata: META, spec: POD },
      volumeClaimTemplates: [CLAIM],
    },
  },
  'policy/v1 PodDisruptionBudget': { spec: { maxUnavailable: 'number', selector: SELECTOR } },
  'networking.k8s.io/v1 NetworkPolicy': {
    spec: { podSelector: SELECTOR, policyTypes: ['string'], ingress: [PEERS] },
  },
};

/** Sentences about members that are unknown or of another type. */
function findings(value: unknown, shape: Shape, path: string): string[] {
  if (typeof shape === 'string') {
    const isRight = shape === 'map' ? isMapOfText(value) : typeof value === shape;
    return isRight ? [] : [`${path} is not a ${shape}`];
  }
  if (Array.isArray(shape)) {
    if (!Array.isArray(value)) return [`${path} is not a list`];
    return value.flatMap((item, index) => findings(item, (shape as readonly [Shape])[0], `${path}[${index}]`));
  }
  return Object.entries(value as object).flatMap(([name, member]) => {
    const known = (shape as Readonly<Record<string, Shape>>)[name];
    return known === undefined ? [`${path}.${name} is unknown`] : findings(member, known, `${path}.${name}`);
  });
}

function isMapOfText(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.values(value).every((one) => typeof one === 'string');
}

interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: object;
}

const judged = ({ apiVersion, kind, metadata, ...rest }: Manifest) => {
  const name = `${apiVersion} ${kind}`;
  const shape = KINDS[name];
  if (shape === undefined) return [`${name} is unknown`];
  return [...findings(metadata, META, `${kind}.metadata`), ...findings(rest, shape, kind)];
};

suite('the manifests for Kubernetes', { skip: noReader }, () => {
  const files = globSync(join(ROOT, 'deploy/{kubernetes/*,kubernetes-drill}.yaml'));
  const text = noReader === false ? execFileSync('python3', ['-c', READ_YAML, ...files], { encoding: 'utf8' }) : '[]';
  const manifests = JSON.parse(text) as Manifest[];
  const pods = manifests.flatMap(podIn);
  const podOf = (command: string) => pods.find(({ containers: [{ args }] }) => (args?.[0] ?? 'serve') === command);
  const ofKind = (kind: string) => manifests.find((one) => one.kind === kind) as never;

  test('have only members that the API knows, of the types it wants', () => {
    assert.equal(manifests.length, 8);
    assert.deepEqual(manifests.flatMap(judged), []);
  });

  test('with a misspelt member or a value of another type are refused', () => {
    const budget = ofKind('PodDisruptionBudget') as { spec: object } & Manifest;
    const wrong = { ...budget, spec: { maxUnavailabel: 1, selector: { matchLabels: { app: 1 } } } };
    assert.deepEqual(judged(wrong), [
      'PodDisruptionBudget.spec.maxUnavailabel is unknown',
      'PodDisruptionBudget.spec.selector.matchLabels is not a map',
    ]);
  });

  test('name the ports, settings, secrets and labels of each other', () => {
    const { spec } = ofKind('StatefulSet') as { spec: { selector: object; template: { spec: PodSpec } } };
    const [container] = spec.template.spec.containers;
    const service = ofKind('Service') as { spec: { selector: object; ports: { targetPort: string }[] } };
    assert.deepEqual({ matchLabels: service.spec.selector }, spec.selector);
    const ports = new Set(container.ports.map(({ name }) => name));
    assert.ok(service.spec.ports.every(({ targetPort }) => ports.has(targetPort)));
    for (const { httpGet } of [container.startupProbe, container.livenessProbe, container.readinessProbe]) {
      assert.ok(ports.has(httpGet.port));
    }
    const opsPort = container.ports.find(({ name }) => name === 'ops')?.containerPort;
    assert.equal(container.env.find(({ name }) => name === 'AVOUCH_OPS_PORT')?.value, String(opsPort));
    const settings = ofKind('ConfigMap') as { metadata: { name: string } };
    assert.equal(container.envFrom?.[0].configMapRef.name, settings.metadata.name);
  });

  test('mount in each pod what it declares, and run commands of Avouch', () => {
    assert.equal(pods.length, 3);
    for (const { containers, volumes } of pods) {
      const [{ args = ['serve'], volumeMounts }] = containers;
      const owned = volumeMounts.map(({ name }) => name).filter((name) => !volumes.some((one) => one.name === name));
      // The volume of the service comes from a template.
      assert.deepEqual(owned, args[0] === 'serve' ? ['data'] : []);
      requireCommand(args);
    }
  });

  test('back up the volume of the service into the claim that the drill reads', () => {
    const [service, backup, drill] = ['serve', 'backup', 'restore'].map((command) => podOf(command)) as [
      PodSpec,
      PodSpec,
      PodSpec,
    ];
    const claims = ({ volumes }: PodSpec) =>
      volumes.flatMap(({ persistentVolumeClaim }) => persistentVolumeClaim?.claimName ?? []);
    const { metadata } = ofKind('StatefulSet') as { metadata: { name: string } };
    const { metadata: own } = ofKind('PersistentVolumeClaim') as { metadata: { name: string } };
    assert.deepEqual(claims(backup), [`data-${metadata.name}-0`, own.name]);
    assert.deepEqual(claims(drill), [own.name]);
    const place = (pod: PodSpec, volume: string) =>
      pod.containers[0].volumeMounts.find(({ name }) => name === volume)?.mountPath ?? '';
    assert.equal(place(backup, 'data'), place(service, 'data'));
    for (const pod of [backup, drill]) {
      const [, folder = ''] = pod.containers[0].args ?? [];
      assert.ok(folder.startsWith(`${place(pod, 'backups')}/`), folder);
    }
  });

  test('make a configuration that starts, and that tells callers behind the ingress apart', () => {
    const { data } = ofKind('ConfigMap') as { data: Record<string, string> };
    for (const pod of pods) {
      const [container] = pod.containers;
      const given = container.env.map(({ name, value = '10.244.1.7' }) => [name, value]);
      const env = { HOST: '0.0.0.0', ...(container.envFrom && data), ...Object.fromEntries(given) };
      const { config, faults } = inspectConfig({ ...env, POD_NAME: undefined });
      assert.deepEqual(faults, []);
      if (container.args === undefined) assert.notDeepEqual(config.trustedProxies, []);
    }
  });

  test('hold no secret: applying the folder would overwrite the one that the page makes from files', () => {
    assert.ok(!manifests.some(({ kind }) => kind === 'Secret'));
    const { spec } = ofKind('StatefulSet') as { spec: { template: { spec: PodSpec } } };
    const [container] = spec.template.spec.containers;
    const volume = spec.template.spec.volumes.find(({ name }) => name === 'secrets');
    const [, name, keys = ''] =
      /^kubectl create secret generic (\S+)((?: --from-file=\S+)+)$/m.exec(
        readFileSync(join(ROOT, 'docs/deploy.md'), 'utf8'),
      ) ?? [];
    assert.equal(volume?.secret?.secretName, name);
    const mounted = container.env.flatMap(({ value }) => /^\/etc\/avouch\/(.+)$/.exec(value ?? '')?.[1] ?? []);
    assert.deepEqual(
      Array.from(keys.matchAll(/=(\S+)/g), ([, key]) => key),
      mounted,
    );
  });
});

interface Probe {
  readonly httpGet: { readonly port: string };
}

interface PodSpec {
  readonly containers: readonly [
    {
      readonly ports: readonly { readonly name: string; readonly containerPort: number }[];
      readonly env: readonly { readonly name: string; readonly value?: string }[];
      readonly envFrom?: readonly [{ readonly configMapRef: { readonly name: string } }];
      readonly args?: readonly string[];
      readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string }[];
      readonly startupProbe: Probe;
      readonly livenessProbe: Probe;
      readonly readinessProbe: Probe;
    },
  ];
  readonly volumes: readonly {
    readonly name: string;
    readonly secret?: { readonly secretName: string };
    readonly persistentVolumeClaim?: { readonly claimName: string };
  }[];
}

interface Workload {
  readonly spec: { readonly template?: { readonly spec: PodSpec }; readonly jobTemplate?: Workload };
}

function podIn(manifest: Manifest): PodSpec[] {
  const { spec } = manifest as Manifest & Partial<Workload>;
  const pod = spec?.jobTemplate?.spec.template ?? spec?.template;
  return pod === undefined ? [] : [pod.spec];
}

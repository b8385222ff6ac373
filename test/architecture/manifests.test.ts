import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { parseAllDocuments } from 'yaml';

type Labels = Record<string, string>;
interface Container {
  command?: string[];
  ports?: { name: string; containerPort: number }[];
  envFrom?: { configMapRef?: { name: string }; secretRef?: { name: string } }[];
  volumeMounts?: { name: string; mountPath: string }[];
  startupProbe?: Probe;
  readinessProbe?: Probe;
  livenessProbe?: Probe;
}
interface Probe {
  periodSeconds?: number;
  failureThreshold?: number;
  httpGet: { path: string; port: string };
}
interface Pod {
  metadata?: { labels: Labels };
  spec: {
    shareProcessNamespace?: boolean;
    terminationGracePeriodSeconds?: number;
    containers: Container[];
    volumes?: { name: string; persistentVolumeClaim?: { claimName: string } }[];
  };
}
interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string };
  data?: Record<string, string>;
  spec?: {
    template?: Pod;
    selector?: Labels & { matchLabels?: Labels };
    ports?: { port: number; targetPort: string }[];
    replicas?: number;
    maxUnavailable?: number;
  };
}

const folder = 'deploy/kubernetes';
const manifests = readdirSync(folder).flatMap((file) => {
  return parseAllDocuments(readFileSync(`${folder}/${file}`, 'utf8')).map((document) => {
    expect(document.errors).toEqual([]);
    return document.toJS() as Manifest;
  });
});

function only(kind: string): Manifest {
  const found = manifests.filter((manifest) => manifest.kind === kind);
  if (found.length !== 1 || !found[0]) throw new Error(`There are ${found.length} of ${kind}`);
  return found[0];
}

const pods = manifests.flatMap(({ spec }) => spec?.template ?? []);
const container = only('Deployment').spec?.template?.spec.containers[0];
/** Made by hand, as docs/scale.md says. */
const secret = 'store';
/** The seconds that a node takes to stop beyond DRAIN_SECONDS: for open requests, then for jobs. */
const stopSeconds = 25 + 13;

describe('The Kubernetes manifests', () => {
  it('have the versions that Kubernetes serves for their kinds', () => {
    const served: Record<string, string> = {
      ConfigMap: 'v1',
      PersistentVolumeClaim: 'v1',
      Service: 'v1',
      Deployment: 'apps/v1',
      PodDisruptionBudget: 'policy/v1',
      Job: 'batch/v1',
    };
    for (const { kind, apiVersion } of manifests) expect([kind, apiVersion]).toEqual([kind, served[kind]]);
  });

  it('select the pods that the deployment makes', () => {
    const labels = only('Deployment').spec?.template?.metadata?.labels;
    expect(only('Deployment').spec?.selector?.matchLabels).toEqual(labels);
    expect(only('PodDisruptionBudget').spec?.selector?.matchLabels).toEqual(labels);
    expect(only('Service').spec?.selector).toEqual(labels);
  });

  it('refer to existing settings, secrets and volumes', () => {
    const names = (kind: string) => manifests.filter((one) => one.kind === kind).map(({ metadata }) => metadata.name);
    for (const { spec } of pods) {
      for (const { envFrom = [], volumeMounts = [] } of spec.containers) {
        for (const { configMapRef, secretRef } of envFrom) {
          if (configMapRef) expect(names('ConfigMap')).toContain(configMapRef.name);
          if (secretRef) expect(secretRef.name).toBe(secret);
        }
        const volumes = (spec.volumes ?? []).map(({ name }) => name);
        expect(volumes).toEqual(expect.arrayContaining(volumeMounts.map(({ name }) => name)));
      }
      for (const { persistentVolumeClaim } of spec.volumes ?? []) {
        if (persistentVolumeClaim) expect(names('PersistentVolumeClaim')).toContain(persistentVolumeClaim.claimName);
      }
    }
  });

  it('reach the port that the service listens on', () => {
    const port = container?.ports?.[0];
    expect(String(port?.containerPort)).toBe(only('ConfigMap').data?.['PORT']);
    expect(only('Service').spec?.ports?.map(({ targetPort }) => targetPort)).toEqual([port?.name]);
    const probes = [container?.startupProbe, container?.readinessProbe, container?.livenessProbe];
    expect(probes.map((probe) => probe?.httpGet.port)).toEqual([port?.name, port?.name, port?.name]);
    expect(probes.map((probe) => probe?.httpGet.path)).toEqual(['/health', '/health/ready', '/health']);
  });

  it('give a node the time to drain and finish', () => {
    const drain = Number(only('ConfigMap').data?.['DRAIN_SECONDS']);
    expect(only('Deployment').spec?.template?.spec.terminationGracePeriodSeconds).toBeGreaterThan(drain + stopSeconds);
  });

  it('give a migration at the start the time for large indexes', () => {
    const { periodSeconds = 10, failureThreshold = 3 } = container?.startupProbe ?? {};
    expect(periodSeconds * failureThreshold).toBeGreaterThanOrEqual(3_600);
  });

  it('make no process of ours the first one, which is hard to stop while it starts', () => {
    expect(pods.map(({ spec }) => spec.shareProcessNamespace)).toEqual(pods.map(() => true));
  });

  it('allow one node to be taken away', () => {
    expect(only('PodDisruptionBudget').spec?.maxUnavailable).toBe(1);
    expect(only('Deployment').spec?.replicas).toBeGreaterThan(1);
  });
});

import type { Application, Integration, Proxy, Tag } from '@store-service/sdk';
import type { Column } from '../output/table.js';
import { createdColumn, idColumn } from './common-columns.js';
import { resource } from './resource.js';

const profileColumns: readonly Column<Application>[] = [
  idColumn,
  { ...createdColumn, mayGo: true },
  { head: 'SCANNER', value: ({ scannerKind }) => scannerKind, width: 25, least: 10, mayGo: true },
  { head: 'TYPE', value: ({ type }) => type, width: 7, least: 4 },
  { head: 'NAME', value: ({ name }) => name, width: 40, least: 12 },
];

const integrationColumns: readonly Column<Integration>[] = [
  idColumn,
  { ...createdColumn, mayGo: true },
  { head: 'KIND', value: ({ kind }) => kind, width: 18, least: 7 },
  {
    head: 'VALID',
    value: ({ valid }) => (valid ? 'yes' : 'no'),
    color: ({ valid }) => (valid ? undefined : 'red'),
    width: 5,
    least: 5,
  },
  { head: 'NAME', value: ({ name }) => name, width: 40, least: 12 },
];

const locationColumns: readonly Column<Proxy>[] = [
  idColumn,
  { ...createdColumn, mayGo: true },
  { head: 'TYPE', value: ({ type }) => type, width: 8, least: 7 },
  { head: 'ENABLED', value: ({ enabled }) => (enabled ? 'yes' : 'no'), width: 7, least: 7 },
  { head: 'TARGET', value: ({ target }) => target, width: 32, least: 12, mayGo: true },
  { head: 'NAME', value: ({ name }) => name, width: 40, least: 12 },
];

const tagColumns: readonly Column<Tag>[] = [
  idColumn,
  { ...createdColumn, mayGo: true },
  { head: 'COLOR', value: ({ color }) => color ?? '-', width: 9, least: 7, mayGo: true },
  { head: 'NAME', value: ({ name }) => name, width: 40, least: 12 },
];

export const profiles = resource<Application>({
  group: 'profiles',
  kind: 'PROFILE',
  columns: profileColumns,
  details: (profile) => [
    ['NAME', profile.name],
    ['SCANNER', profile.scannerKind],
    ['TYPE', profile.type],
    ['CREATED AT', profile.createdAt],
    ['UPDATED AT', profile.updatedAt],
  ],
});

export const integrations = resource<Integration>({
  group: 'integrations',
  kind: 'INTEGRATION',
  columns: integrationColumns,
  details: (integration) => [
    ['NAME', integration.name],
    ['KIND', integration.kind],
    ['VALID', integration.valid ? 'yes' : 'no'],
    ['PARAMETERS', JSON.stringify(integration.parameters)],
    ['CREATED AT', integration.createdAt],
    ['UPDATED AT', integration.updatedAt],
  ],
});

export const locations = resource<Proxy>({
  group: 'locations',
  kind: 'LOCATION',
  columns: locationColumns,
  details: (location) => [
    ['NAME', location.name],
    ['TYPE', location.type],
    ['TARGET', location.target],
    ['IP', location.ip],
    ['REGION', location.region],
    ['ENABLED', location.enabled ? 'yes' : 'no'],
    ['CREATED AT', location.createdAt],
  ],
});

export const tags = resource<Tag>({
  group: 'tags',
  kind: 'TAG',
  columns: tagColumns,
  details: (tag) => [
    ['NAME', tag.name],
    ['COLOR', tag.color],
    ['CREATED AT', tag.createdAt],
  ],
});

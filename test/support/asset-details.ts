/** One of each detail that an asset can have, as it is stored and sent. */
export const assetDetails = {
  service: {
    id: '018f0000-0000-7000-8000-000000000001',
    url: 'https://api.example.com',
    type: 'REST',
    framework: 'REST_NESTJS',
  },
  frontend: {
    id: '018f0000-0000-7000-8000-000000000002',
    type: 'WEBAPP',
    url: 'https://shop.example.com',
    ips: ['192.0.2.1'],
    regionCountryCodes: ['DE'],
    tls: true,
    environment: 'PRODUCTION',
  },
  host: {
    id: '018f0000-0000-7000-8000-000000000003',
    type: 'DNS',
    address: 'example.com',
    ips: ['192.0.2.1'],
    regionCountryCodes: ['DE'],
    ports: [{ port: 443, protocols: ['HTTPS'] }],
    records: [{ id: '018f0000-0000-7000-8000-000000000004', type: 'A', value: '192.0.2.1' }],
  },
  repository: {
    id: '018f0000-0000-7000-8000-000000000005',
    type: 'CODEHOST_A_REPOSITORY',
    url: 'https://code.example.com/shop',
    visibility: 'PRIVATE',
    archived: false,
  },
  schema: {
    id: '018f0000-0000-7000-8000-000000000006',
    type: 'OPENAPI',
    key: 'https://api.example.com/openapi.json',
    storageKey: 'schemas/1',
    source: 'FOUND',
  },
};

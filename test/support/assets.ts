/** Bodies that make an asset of each class with a detail, with every field of the interface description. */
export const assetBodies = {
  service: {
    name: 'Shop API',
    type: 'REST',
    class: 'API_SERVICE',
    service: {
      url: 'https://api.example.com/v1',
      type: 'REST',
      framework: 'REST_NESTJS',
      authProtocol: 'OIDC',
      authTechnology: 'KEYCLOAK',
      cloudProvider: 'OVH',
      environment: 'PRODUCTION',
    },
  },
  frontend: {
    name: 'Shop',
    type: 'WEBAPP',
    class: 'FRONTEND',
    frontend: {
      type: 'WEBAPP',
      url: 'https://shop.example.com',
      framework: 'FRONTEND_REACT',
      authProtocol: 'SAML',
      authTechnology: 'AUTH0',
      cloudProvider: 'CLOUDFLARE',
      environment: 'STAGING',
      ips: ['203.0.113.7', '2001:db8::7'],
      regionCountryCodes: ['FR', 'DE'],
      tls: true,
    },
  },
  host: {
    name: 'Front door',
    type: 'IPV4',
    class: 'HOST',
    host: {
      type: 'IPV4',
      address: '203.0.113.7',
      ips: ['203.0.113.7'],
      regionCountryCodes: ['FR'],
      ports: [
        { port: 80, protocols: ['HTTP'] },
        { port: 443, protocols: ['HTTPS', 'HTTP'] },
      ],
      records: [
        { type: 'A', value: '203.0.113.7' },
        { type: 'MX', value: '10 mail.example.com' },
      ],
    },
  },
  repository: {
    name: 'Shop code',
    type: 'CODEHOST_A_REPOSITORY',
    class: 'REPOSITORY',
    repository: {
      type: 'CODEHOST_A_REPOSITORY',
      url: 'https://code.example.com/acme/shop',
      name: 'acme/shop',
      visibility: 'INTERNAL',
      archived: false,
      lastCommitSha: '9f2c1d0e7b6a5f4e3d2c1b0a9f8e7d6c5b4a3f2e',
      lastCommitDate: '2026-03-01T12:00:00.000Z',
    },
  },
  schema: {
    name: 'Shop API description',
    type: 'OPENAPI',
    class: 'SCHEMA',
    schema: {
      type: 'OPENAPI',
      key: 'https://api.example.com/openapi.json',
      storageKey: 'uploads/openapi.json',
      source: 'FOUND',
    },
  },
} as const;

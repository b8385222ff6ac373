// Writers of reports about packages and web pages.

const json = (value) => `${JSON.stringify(value, null, 1)}\n`;

function cyclonedx({ findings, version, run, packageVersion }) {
  const names = [...new Set(findings.map((one) => one.package))];
  const refOf = (name) => `${run}-${names.indexOf(name)}`;
  return json({
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: { tools: { components: [{ type: 'application', name: 'BillLook', version }] } },
    components: names.map((name) => ({
      'bom-ref': refOf(name),
      type: 'library',
      name,
      version: packageVersion,
      purl: `pkg:npm/${name.replace('@', '%40')}@${packageVersion}`,
    })),
    vulnerabilities: findings.map(({ id, severity, title, package: name }) => ({
      id,
      ratings: [{ severity: severity.toLowerCase() }],
      description: title,
      affects: [{ ref: refOf(name) }],
    })),
  });
}

function trivyPackages({ findings, version, packageVersion, isNewForm }) {
  return json({
    SchemaVersion: 2,
    ArtifactName: '.',
    ArtifactType: 'filesystem',
    Trivy: { Version: version },
    Results: [
      {
        Target: 'package-lock.json',
        Class: 'lang-pkgs',
        Type: 'npm',
        Vulnerabilities: findings.map(({ id, severity, title, package: name }) => ({
          VulnerabilityID: id,
          PkgName: name,
          // Older versions name no purl.
          ...(isNewForm ? { PkgIdentifier: { PURL: `pkg:npm/${name.replace('@', '%40')}@${packageVersion}` } } : {}),
          InstalledVersion: packageVersion,
          Severity: severity,
          Title: title,
        })),
      },
    ],
  });
}

/** npm 7 and later, and npm 6, which name an advisory alike. */
function npmAudit({ findings, run, packageVersion, isNewForm }) {
  const urlOf = ({ ghsa }) => `https://github.com/advisories/${ghsa}`;
  const sourceOf = (one) => findings.indexOf(one) + (run === 'a' ? 1_000 : 2_000);
  if (!isNewForm) {
    const advisories = findings.map((one) => [
      sourceOf(one),
      {
        id: sourceOf(one),
        title: one.title,
        module_name: one.package,
        severity: one.severity.toLowerCase(),
        url: urlOf(one),
        findings: [{ version: packageVersion, paths: [one.package] }],
      },
    ]);
    return json({ actions: [], advisories: Object.fromEntries(advisories), muted: [], metadata: {} });
  }
  const vulnerabilities = {};
  for (const one of findings) {
    const known = (vulnerabilities[one.package] ??= {
      name: one.package,
      severity: one.severity.toLowerCase(),
      via: [],
      nodes: [`node_modules/${one.package}`],
      fixAvailable: true,
    });
    known.via.push({
      source: sourceOf(one),
      name: one.package,
      title: one.title,
      url: urlOf(one),
      severity: one.severity.toLowerCase(),
    });
  }
  return json({ auditReportVersion: 2, vulnerabilities, metadata: {} });
}

function gitLabDependencies({ findings, version, run, packageVersion }) {
  return json({
    version: '15.0.7',
    vulnerabilities: findings.map(({ id, severity, title, package: name }, at) => ({
      id: `${run}-${at}`,
      name: title,
      severity: `${severity.slice(0, 1)}${severity.slice(1).toLowerCase()}`,
      identifiers: [{ type: 'cve', name: id, value: id }],
      location: { file: 'package-lock.json', dependency: { package: { name }, version: packageVersion } },
    })),
    scan: { type: 'dependency_scanning', status: 'success', scanner: { id: 'deplook', name: 'DepLook', version } },
  });
}

function zapAlerts({ findings, isNewForm }) {
  return findings.map(({ number, title, severity, page }) => ({
    pluginid: number,
    // One id of a plugin covers several alerts: newer versions number them, older ones have their names alone.
    alertRef: isNewForm ? `${number}-1` : number,
    name: title,
    riskcode: { HIGH: '3', MEDIUM: '2', LOW: '1' }[severity],
    confidence: '2',
    desc: `<p>${title}</p>`,
    instances: [{ uri: `https://shop.example${page}`, method: 'GET' }],
    count: '1',
  }));
}

function zapJson(run) {
  const site = { '@name': 'https://shop.example', '@host': 'shop.example', '@port': '443', '@ssl': 'true' };
  return json({
    '@programName': 'ZAP',
    '@version': run.version,
    '@generated': `Fri, 27 Nov 2026 03:00:0${run.run === 'a' ? 1 : 2}`,
    site: [{ ...site, alerts: zapAlerts(run) }],
  });
}

const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
const element = (name, inner) => `<${name}>${inner}</${name}>`;

function zapXml(run) {
  const alerts = zapAlerts(run).map(({ instances, ...fields }) => {
    const places = instances.map((one) =>
      element(
        'instance',
        Object.entries(one)
          .map(([name, text]) => element(name, escaped(text)))
          .join(''),
      ),
    );
    const texts = Object.entries(fields).map(([name, text]) => element(name, escaped(text)));
    return element('alertitem', [...texts, element('instances', places.join(''))].join(''));
  });
  return (
    `<?xml version="1.0"?>\n<OWASPZAPReport programName="ZAP" version="${run.version}" generated="now">` +
    `<site name="https://shop.example" host="shop.example" port="443" ssl="true">${element('alerts', alerts.join('\n'))}</site></OWASPZAPReport>\n`
  );
}

function nuclei({ findings, run }) {
  return findings
    .map(({ rule, title, severity, page }) =>
      JSON.stringify({
        'template-id': rule,
        'template-path': `/home/ci/${run}/templates/${rule}.yaml`,
        info: { name: title, severity: severity.toLowerCase(), tags: ['misconfig'] },
        type: 'http',
        host: 'https://shop.example',
        'matched-at': `https://shop.example${page}`,
        timestamp: `2026-11-27T03:00:0${run === 'a' ? 1 : 2}Z`,
      }),
    )
    .join('\n')
    .concat('\n');
}

function burp({ findings, version, run }) {
  const issues = findings.map(({ number, title, severity, page }, at) =>
    element(
      'issue',
      [
        element('serialNumber', `${run === 'a' ? 1 : 2}00${at}`),
        element('type', number),
        element('name', `<![CDATA[${title}]]>`),
        `<host ip="192.0.2.7">https://shop.example</host>`,
        element('path', `<![CDATA[${page}]]>`),
        element('location', `<![CDATA[${page}]]>`),
        element('severity', `${severity.slice(0, 1)}${severity.slice(1).toLowerCase()}`),
        element('confidence', 'Firm'),
      ].join(''),
    ),
  );
  const documentType = '<!DOCTYPE issues [\n<!ELEMENT issues (issue*)>\n<!ATTLIST issues burpVersion CDATA "">\n]>';
  return `<?xml version="1.0"?>\n${documentType}\n<issues burpVersion="${version}" exportTime="${run}">${issues.join('\n')}</issues>\n`;
}

export const packageFormats = {
  cyclonedx: { extension: 'json', write: cyclonedx },
  'trivy-packages': { extension: 'json', write: trivyPackages },
  'npm-audit': { extension: 'json', write: npmAudit },
  'gitlab-dependencies': { extension: 'json', write: gitLabDependencies },
};

export const webFormats = {
  'zap-json': { extension: 'json', write: zapJson },
  'zap-xml': { extension: 'xml', write: zapXml },
  'nuclei-jsonl': { extension: 'jsonl', write: nuclei },
  // All issues of extensions have one id.
  'burp-xml': { extension: 'xml', write: burp, keepsTitles: true },
};

import type { ToolReport } from './expected-import.js';

// Small reports in the structure that the tools' own documentation and templates show; all names in them are made up.

const site = (alerts: object[], name = 'https://shop.example'): object => ({
  '@name': name,
  '@host': 'shop.example',
  '@port': '443',
  '@ssl': 'true',
  alerts,
});

const head = {
  '@programName': 'ZAP',
  '@version': '2.16.0',
  '@generated': 'Sun, 22 Nov 2026 04:00:00',
  created: '2026-11-22',
};

const csp = {
  pluginid: '10038',
  alertRef: '10038-1',
  alert: 'Content Security Policy (CSP) Header Not Set',
  name: 'Content Security Policy (CSP) Header Not Set',
  riskcode: '2',
  confidence: '3',
  riskdesc: 'Medium (High)',
  desc: '<p>Content Security Policy (CSP) is an added layer of security.</p>',
  instances: ['/', '/cart'].map((path, id) => ({
    id: String(id),
    uri: `https://shop.example${path}`,
    nodeName: `https://shop.example${path}`,
    method: 'GET',
    param: '',
    attack: '',
    evidence: '',
    otherinfo: '',
  })),
  count: '2',
  systemic: true,
  solution: '<p>Ensure that your web server sets the header.</p>',
  otherinfo: '',
  reference: '<p>https://developer.example/csp</p>',
  cweid: '693',
  wascid: '15',
  sourceid: '1',
};

const sqlInjection = {
  ...csp,
  pluginid: '40018',
  alertRef: '40018',
  alert: 'SQL Injection',
  name: 'SQL Injection',
  riskcode: '3',
  confidence: '0',
  riskdesc: 'High (False Positive)',
  cweid: '89',
  instances: [
    {
      uri: 'https://shop.example/api/orders',
      method: 'POST',
      param: 'id',
      attack: "1' OR '1'='1",
      evidence: '',
      'request-header': 'POST https://shop.example/api/orders HTTP/1.1\r\nhost: shop.example\r\n\r\n',
      'request-body': '{"id":"1"}',
      'response-header': 'HTTP/1.1 500 Internal Server Error\r\n\r\n',
      'response-body': 'oops',
    },
  ],
};

const baseline: ToolReport = {
  tool: 'ZAP baseline scan, JSON',
  content: { ...head, site: [site([csp]), site([], 'https://fonts.example')], statistics: { 'stats.code.200': '5' } },
  findings: 1,
  issues: [['10038', 'MEDIUM', 'CONFIGURATION', 'OPEN']],
  assets: ['asset://frontend/shop.example'],
  targets: ['https://shop.example/', 'https://shop.example/cart'],
};

const full: ToolReport = {
  tool: 'ZAP full scan, JSON with requests and responses',
  content: { ...head, site: [site([csp, sqlInjection])], sequences: [] },
  findings: 2,
  issues: [
    ['10038', 'MEDIUM', 'CONFIGURATION', 'OPEN'],
    ['40018', 'HIGH', 'INJECTION', 'FALSE_POSITIVE'],
  ],
  assets: ['asset://frontend/shop.example'],
  targets: ['https://shop.example/', 'https://shop.example/api/orders', 'https://shop.example/cart'],
};

const api: ToolReport = {
  tool: 'ZAP API scan, JSON of an older version over one site',
  content: {
    '@version': '2.7.0',
    '@generated': 'Tue, 7 Aug 2018 13:17:56',
    site: site([{ ...csp, name: undefined, alertRef: undefined, riskcode: 1, pluginid: 10038 }]),
  },
  findings: 1,
  issues: [['10038', 'LOW', 'CONFIGURATION', 'OPEN']],
  assets: ['asset://frontend/shop.example'],
  targets: ['https://shop.example/', 'https://shop.example/cart'],
};

const xmlHead =
  '<?xml version="1.0"?>\n<OWASPZAPReport programName="ZAP" version="2.16.0" generated="Sun, 22 Nov 2026 04:00:00">';
const xmlSite = '<site name="https://shop.example" host="shop.example" port="443" ssl="true">';

const traditionalXml: ToolReport = {
  tool: 'ZAP baseline scan, XML',
  content: `${xmlHead}
  ${xmlSite}
    <alerts>
      <alertitem>
        <pluginid>10038</pluginid>
        <alertRef>10038-1</alertRef>
        <alert>Content Security Policy (CSP) Header Not Set</alert>
        <name>Content Security Policy (CSP) Header Not Set</name>
        <riskcode>2</riskcode>
        <confidence>3</confidence>
        <riskdesc>Medium (High)</riskdesc>
        <confidencedesc>High</confidencedesc>
        <desc>&lt;p&gt;Content Security Policy (CSP) is an added layer of security.&lt;/p&gt;</desc>
        <instances>
          <instance>
            <uri>https://shop.example/?a=1&amp;b=2</uri><method>GET</method><param></param><attack/><evidence/><otherinfo/>
          </instance>
          <instance><uri>https://shop.example/cart</uri><method>GET</method><param></param></instance>
        </instances>
        <count>2</count>
        <solution>&lt;p&gt;Ensure that your web server sets the header.&lt;/p&gt;</solution>
        <otherinfo></otherinfo>
        <reference>&lt;p&gt;https://developer.example/csp&lt;/p&gt;</reference>
        <cweid>693</cweid>
        <wascid>15</wascid>
        <sourceid>1</sourceid>
      </alertitem>
    </alerts>
  </site>
</OWASPZAPReport>`,
  findings: 1,
  issues: [['10038', 'MEDIUM', 'CONFIGURATION', 'OPEN']],
  assets: ['asset://frontend/shop.example'],
  targets: ['https://shop.example/?a=1&b=2', 'https://shop.example/cart'],
};

const plusXml: ToolReport = {
  tool: 'ZAP API scan, XML with requests and responses',
  content: `${xmlHead}
  ${xmlSite}<alerts><alertitem>
    <pluginid>40018</pluginid><alertRef>40018</alertRef><alert>SQL Injection</alert><name>SQL Injection</name>
    <riskcode>3</riskcode><confidence>2</confidence><riskdesc>High (Medium)</riskdesc><desc>It may be possible.</desc>
    <instances><instance>
      <uri>https://shop.example/api/orders</uri><nodeName>https://shop.example/api/orders</nodeName><method>POST</method>
      <param>id</param><attack>1&#39; OR &#39;1&#39;=&#39;1</attack><evidence></evidence><otherinfo></otherinfo>
      <requestheader>POST https://shop.example/api/orders HTTP/1.1
host: shop.example

</requestheader><requestbody>{"id":"1"}</requestbody>
      <responseheader>HTTP/1.1 500 Internal Server Error

</responseheader><responsebody>oops</responsebody>
    </instance></instances>
    <count>1</count><systemic>false</systemic><solution>Bind it.</solution><cweid>89</cweid><wascid>19</wascid>
    <tags><tag><tag>CWE-89</tag><link>https://cwe.example/89</link></tag></tags>
  </alertitem></alerts><statistics><statistic><key>stats.code.500</key><value>1</value></statistic></statistics></site>
  <statistics/>
</OWASPZAPReport>`,
  findings: 1,
  issues: [['40018', 'HIGH', 'INJECTION', 'OPEN']],
  assets: ['asset://frontend/shop.example'],
  targets: ['https://shop.example/api/orders'],
};

export const zapToolReports = [baseline, full, api, traditionalXml, plusXml];

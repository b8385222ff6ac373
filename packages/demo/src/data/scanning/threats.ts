/** What EPSS and KEV once said of the vulnerabilities in the demo; the service takes it without asking anybody. */
export const threats: readonly { cve: string; epss: number; percentile: number; exploitedSince?: string }[] = [
  { cve: 'CVE-2007-4559', epss: 0.0731, percentile: 0.913 },
  { cve: 'CVE-2011-3389', epss: 0.0438, percentile: 0.885 },
  { cve: 'CVE-2015-9251', epss: 0.0612, percentile: 0.904 },
  { cve: 'CVE-2019-11358', epss: 0.0197, percentile: 0.832 },
  { cve: 'CVE-2020-11023', epss: 0.3544, percentile: 0.969, exploitedSince: '2025-01-23' },
  { cve: 'CVE-2021-3807', epss: 0.0026, percentile: 0.488 },
  { cve: 'CVE-2024-6387', epss: 0.6127, percentile: 0.982 },
];

/** The words of the scanning wing that the demo uses; the wing itself stands above the database and is not known here. */

export type DemoLevel = 'ERROR' | 'WARNING' | 'INFO' | 'DEBUG';

export type DemoStage = 'CONFIGURATION' | 'EXECUTION' | 'AGENT_REASONING' | 'AGENT_ACTION';

export type DemoSeverity = 'CRITICAL' | 'HIGH' | 'MEDIUM' | 'LOW' | 'INFO';

export type DemoIssueStatus = 'OPEN' | 'RESOLVED' | 'MANUAL_REVIEW' | 'IGNORED' | 'FALSE_POSITIVE';

export type DemoCategory =
  | 'ACCESS_CONTROL'
  | 'CONFIGURATION'
  | 'CUSTOM'
  | 'INFORMATION_DISCLOSURE'
  | 'INJECTION'
  | 'PROTOCOL'
  | 'REQUEST_FORGERY'
  | 'RESOURCE_LIMITATION'
  | 'SCHEMA'
  | 'SENSITIVE_DATA';

export type DemoScanStatus = 'STARTING' | 'RUNNING' | 'FINISHED' | 'FAILED' | 'CANCELED';

export type DemoScanKind =
  | 'ASM_CODE_PROJECT'
  | 'ASM_DNS'
  | 'ASM_GRPC'
  | 'AUTOMATED_PENTEST_REST'
  | 'AUTOMATED_PENTEST_WEBAPP'
  | 'BLST_GRAPHQL'
  | 'BLST_REST'
  | 'FRONTEND_DAST';

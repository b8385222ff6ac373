export interface ScanEventAttachment {
  id: string;
  type: string;
  createdAt: string;
  exchange?: Exchange | null;
  snippet?: Snippet | null;
  screenshot?: Screenshot | null;
}
export interface Exchange {
  request: { method: string; url: string; headers?: unknown; body?: string | null };
  response?: { status: number; headers?: unknown; body?: string | null } | null;
  durationMs?: number | null;
}
export interface Snippet {
  name?: string | null;
  language?: string | null;
  content: string;
}
export interface Screenshot {
  url: string;
  alt?: string | null;
}
export interface ScanEventSummary {
  id: string;
  createdAt: string;
  level: string;
  stage: string;
  title: string;
  scanId: string;
  issuesCount: number;
  attachments: ScanEventAttachment[];
}
export interface ScanEvent extends ScanEventSummary {
  description: string;
}

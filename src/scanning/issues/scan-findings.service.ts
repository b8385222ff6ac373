import type { IncomingMessage } from 'node:http';
import { Injectable } from '@nestjs/common';
import { ScansService } from '../scans/scans.service.js';
import { readFindings } from './issue-append-body.js';
import type { IssueAppendResult } from './issue-append.dto.js';
import { IssueAppendsService } from './issue-appends.service.js';

/** Appends the issues that scanners send to their scans. */
@Injectable()
export class ScanFindingsService {
  constructor(
    private readonly scans: ScansService,
    private readonly appends: IssueAppendsService,
  ) {}

  /**
   * Appends the issues in the body of a request, all or none, to a scan in any status, since scanners report late.
   * `NotFound` for a scan or asset of another organization; `Invalid`, `PayloadTooLarge`, `UnsupportedMediaType` for the body.
   */
  async append(organizationId: string, scanId: string, request: IncomingMessage): Promise<IssueAppendResult> {
    const scan = await this.scans.contextOf(organizationId, scanId);
    const { issues, createdIds } = await this.appends.append(scan, await readFindings(request));
    return { created: createdIds.length, seen: issues.length - createdIds.length, issues };
  }
}

import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Settings } from '../../../src/config/settings.js';
import type { UploadKind } from '../../../src/store/uploads/upload.entity.js';
import type { UploadedPicture } from '../../../src/store/uploads/uploads.dto.js';
import { type InsertedUser, insertAdmin, insertUser } from '../../support/accounts.js';
import type { ApiAnswer } from '../../support/api-client.js';
import { type FormFile, formWith, makePicture } from '../../support/pictures.js';
import { startTestApp, type TestApp, type TestAppChoices } from '../../support/test-app.js';

/** A shop with an admin, a user and a picture to upload. */
export class UploadScene {
  private constructor(
    readonly app: TestApp,
    readonly admin: InsertedUser,
    public user: InsertedUser,
    readonly png: Buffer,
  ) {}

  static async start(choices: TestAppChoices = {}): Promise<UploadScene> {
    const app = await startTestApp(choices);
    return new UploadScene(app, await insertAdmin(app), await insertUser(app), await makePicture('png'));
  }

  /** Replaces the user by one without uploads. */
  async renewUser(): Promise<void> {
    this.user = await insertUser(this.app);
  }

  /** Uploads bytes, the picture unless others are given, as a browser sends them. */
  upload(
    kind: UploadKind,
    bytes: Uint8Array = this.png,
    by = this.user,
    file: FormFile = {},
  ): Promise<ApiAnswer<UploadedPicture>> {
    return this.app.api.post(`/api/v1/uploads/${kind}`, { token: by.token, raw: formWith(bytes, file) });
  }

  /** The names of the stored files of a kind, sorted. */
  async filesOf(kind: UploadKind): Promise<string[]> {
    const folder = join(this.app.nest.get(Settings).dataDir, 'uploads', kind);
    return (await readdir(folder).catch(() => [])).sort((one, other) => one.localeCompare(other));
  }
}

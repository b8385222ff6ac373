import { ArrayField, BooleanField, IntegerField, StringField, UuidField } from '../../platform/validation/fields.js';

/** The result of sending a sample to an action's receiver. */
export class TestSendResult {
  @UuidField()
  actionId: string;
  @BooleanField({ description: 'Whether the receiver responded with 2xx' })
  delivered: boolean;
  @IntegerField({ nullable: true })
  statusCode: number | null;
  @StringField({ nullable: true, example: 'The receiver responded with 500' })
  error: string | null;
  @IntegerField()
  durationMs: number;
  @StringField({ nullable: true, description: 'The first 20,000 bytes of the response', example: 'thanks' })
  response: string | null;
}

export class TestSend {
  @ArrayField(() => TestSendResult)
  results: TestSendResult[];
}

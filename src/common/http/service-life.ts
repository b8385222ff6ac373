import { Injectable } from '@nestjs/common';

export const serviceVersion = '1.0.0';

/** Whether the service is stopping: it then finishes its requests and asks for no more. */
@Injectable()
export class ServiceLife {
  stopping = false;
}

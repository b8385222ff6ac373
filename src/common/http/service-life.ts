import { Injectable } from '@nestjs/common';

export const serviceVersion = '1.0.0';

/** Whether the service is being stopped: it then finishes what it has, and asks for no more. */
@Injectable()
export class ServiceLife {
  stopping = false;
}

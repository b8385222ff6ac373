import { Global, Module, type Type } from '@nestjs/common';
import { OutsideCalls } from '../src/platform/net/outside-calls.js';

/** The module that puts the simulated world around a node, in the place of that of test mode. */
export function simulationModule(outside: OutsideCalls): Type {
  @Global()
  @Module({ providers: [{ provide: OutsideCalls, useValue: outside }], exports: [OutsideCalls] })
  class SimulationModule {}
  return SimulationModule;
}

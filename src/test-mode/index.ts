export { GivenDatabaseRepository } from './given-database.repository.js';
export { serviceClock } from './service-clock.js';
export { TestDataService } from './test-data.service.js';
export { TestModeModule } from './test-mode.module.js';
export { TestSchemaRepository } from './test-schema.repository.js';

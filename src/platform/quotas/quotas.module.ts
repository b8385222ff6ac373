import { Global, Module } from '@nestjs/common';
import { RateLeases } from './rate-leases.js';
import { Rates } from './rates.js';
import { RatesRepository } from './rates.repository.js';
import { StockQuotas } from './stock-quotas.js';
import { StockQuotasRepository } from './stock-quotas.repository.js';

/** How much callers may do in a window (rates), and how much they may keep (stocks). */
@Global()
@Module({
  providers: [Rates, RatesRepository, RateLeases, StockQuotas, StockQuotasRepository],
  exports: [Rates, RateLeases, StockQuotas],
})
export class QuotasModule {}

// Loaded before the service: a clock that is wrong by CLOCK_SHIFT_MS, for all that asks JavaScript for the time.
const shift = Number(process.env['CLOCK_SHIFT_MS']);
const TrueDate = Date;

globalThis.Date = class Date extends TrueDate {
  constructor(...given) {
    if (given.length > 0) super(...given);
    else super(TrueDate.now() + shift);
  }

  static now() {
    return TrueDate.now() + shift;
  }
};

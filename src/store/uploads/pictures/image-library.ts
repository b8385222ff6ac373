import sharp from 'sharp';

// Nothing is decoded twice, so a cache of decoded pictures only costs memory; one thread a picture bounds it further.
sharp.cache(false);
sharp.concurrency(1);

export { sharp };

import { Module } from '@nestjs/common';
import { CryptoModule } from '../crypto/crypto.module.js';
import { KeyRotation } from './key-rotation.js';
import { SealedValuesRepository } from './sealed-values.repository.js';

/** Seals everything anew when keys turn. */
@Module({ imports: [CryptoModule], providers: [KeyRotation, SealedValuesRepository], exports: [KeyRotation] })
export class KeyRotationModule {}

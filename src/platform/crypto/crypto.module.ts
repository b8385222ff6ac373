import { Module } from '@nestjs/common';
import { Passwords } from './passwords.js';
import { SecretBox } from './secret-box.js';

/** Password hashes and the encryption of secrets at rest. */
@Module({ providers: [Passwords, SecretBox], exports: [Passwords, SecretBox] })
export class CryptoModule {}

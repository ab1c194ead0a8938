import { Migration } from '@mikro-orm/migrations';

/** Answers that a retry gets again. */
export class IdempotencyKeys extends Migration {
  override up(): void {
    this.addSql(`create table idempotency_keys (
        id varchar(64) not null,
        fingerprint varchar(64) not null,
        sealed_answer bytea not null,
        created_at timestamptz not null,
        expires_at timestamptz not null,
        primary key (id)
      )`);
    this.addSql(`create index idempotency_keys_expires_at_index on idempotency_keys (expires_at)`);
  }
}

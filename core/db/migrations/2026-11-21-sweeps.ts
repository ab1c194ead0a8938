import { Migration } from '@mikro-orm/migrations';

/** What has had its time is found without reading what has not. */
export class Sweeps extends Migration {
  override up(): void {
    this.addSql(`create index job_events_progress on job_events (created_at) where type = 'progress'`);
    this.addSql(`create index reservations_unconfirmed on reservations (expires_at) where state <> 'confirmed'`);
  }
}

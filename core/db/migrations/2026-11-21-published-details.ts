import { Migration } from '@mikro-orm/migrations';

/** As instants are written everywhere else: a fraction only where there is one. */
const text = (column: string): string => `to_char(${column} at time zone 'UTC', case when date_trunc('second', ${column}) = ${column} then 'YYYY-MM-DD"T"HH24:MI:SS"Z"' else 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"' end)`;

/** What drivers go by of a published order, kept apart from what is edited after its publication. */
export class PublishedDetails extends Migration {
  override up(): void {
    this.addSql('alter table orders add column published_details jsonb null');
    this.addSql(`update orders set published_details = jsonb_build_object('location', location, 'duration_seconds', duration_seconds,
        'window_start', ${text('window_start')}, 'window_end', ${text('window_end')}, 'replacement_driver_id', replacement_driver_id)
      where published_plan_id is not null`);
  }
}

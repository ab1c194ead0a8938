import { Migration } from '@mikro-orm/migrations';

/** How the best plan of a planning job came about, and whether a job that is stopped keeps it. */
export class BestOverTime extends Migration {
  override up(): void {
    this.addSql(`alter table jobs add column best_over_time jsonb not null default '[]'::jsonb`);
    this.addSql(`alter table jobs add column cancel_keeps_best boolean not null default false`);
  }
}

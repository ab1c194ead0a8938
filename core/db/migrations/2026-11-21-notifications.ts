import { Migration } from '@mikro-orm/migrations';

/** What administrators are told. */
export class Notifications extends Migration {
  override up(): void {
    this.addSql(`create table notifications (
        business_id uuid not null,
        id varchar(120) not null,
        created_at timestamptz not null,
        updated_at timestamptz not null,
        revision int not null default 1,
        deleted_at timestamptz null,
        deleted_by uuid null,
        kind varchar(30) not null,
        message text not null,
        data jsonb not null,
        read_at timestamptz null,
        primary key (business_id, id),
        foreign key (business_id) references businesses (id)
      )`);
    this.addSql(`create index notifications_business_id_created_at_id_index on notifications (business_id, created_at, id)`);
    this.addSql(`create index notifications_unread on notifications (business_id, created_at, id) where read_at is null and deleted_at is null`);
  }
}

import { Migration } from '@mikro-orm/migrations';

/** Drivers' devices, and messages to them. */
export class Push extends Migration {
  override up(): void {
    this.addSql(`create table push_devices (
        business_id uuid not null,
        id varchar(120) not null,
        created_at timestamptz not null,
        updated_at timestamptz not null,
        revision int not null default 1,
        deleted_at timestamptz null,
        deleted_by uuid null,
        driver_id varchar(120) not null,
        session_id uuid not null,
        provider varchar(20) not null,
        device_token text not null,
        token_hash varchar(64) not null,
        registered_at timestamptz not null,
        primary key (business_id, id),
        foreign key (business_id) references businesses (id)
      )`);
    this.addSql(`create index push_devices_business_id_created_at_id_index on push_devices (business_id, created_at, id)`);
    this.addSql(`create index push_devices_driver on push_devices (business_id, driver_id) where deleted_at is null`);
    this.addSql(`create unique index push_devices_one_per_token on push_devices (token_hash) where deleted_at is null`);
    this.addSql(`create table push_deliveries (
        business_id uuid not null,
        id uuid not null,
        publication_id varchar(120) not null,
        driver_id varchar(120) not null,
        device_id varchar(120) not null,
        status varchar(20) not null,
        attempts int not null default 0,
        due_at timestamptz not null,
        reason text null,
        created_at timestamptz not null,
        finished_at timestamptz null,
        primary key (business_id, id),
        foreign key (business_id) references businesses (id)
      )`);
    this.addSql(`create index push_deliveries_due on push_deliveries (due_at) where status = 'queued'`);
    this.addSql(`create index push_deliveries_waiting on push_deliveries (business_id, device_id) where status = 'queued'`);
    this.addSql(`create index push_deliveries_finished on push_deliveries (finished_at) where finished_at is not null`);
  }
}

import { Migration } from '@mikro-orm/migrations';

/** Webhooks with their secrets and deliveries; the order of events, and the numbers of the events of one order. */
export class Webhooks extends Migration {
  override up(): void {
    this.addSql(`alter table events add column position bigserial not null`);
    this.addSql(`alter table events add column fanned_out_at timestamptz null`);
    this.addSql(`create unique index events_position on events (position)`);
    this.addSql(`create index events_to_fan_out on events (position) where fanned_out_at is null`);
    this.addSql(`alter table orders add column event_sequence int not null default 1`);
    this.addSql(`create table webhooks (
        business_id uuid not null,
        id varchar(120) not null,
        created_at timestamptz not null,
        updated_at timestamptz not null,
        revision int not null default 1,
        deleted_at timestamptz null,
        deleted_by uuid null,
        name varchar(200) not null,
        url text not null,
        events jsonb not null,
        active boolean not null default true,
        disabled_reason text null,
        secret_rotated_at timestamptz not null,
        failing_since timestamptz null,
        last_failure_at timestamptz null,
        paused_until timestamptz null,
        primary key (business_id, id),
        foreign key (business_id) references businesses (id)
      )`);
    this.addSql(`create index webhooks_business_id_created_at_id_index on webhooks (business_id, created_at, id)`);
    this.addSql(`create table webhook_secrets (
        business_id uuid not null,
        id uuid not null,
        webhook_id varchar(120) not null,
        secret text not null,
        created_at timestamptz not null,
        expires_at timestamptz null,
        primary key (business_id, id),
        foreign key (business_id, webhook_id) references webhooks (business_id, id)
      )`);
    this.addSql(`create index webhook_secrets_webhook on webhook_secrets (business_id, webhook_id)`);
    this.addSql(`create table webhook_deliveries (
        business_id uuid not null,
        id varchar(120) not null,
        created_at timestamptz not null,
        updated_at timestamptz not null,
        revision int not null default 1,
        deleted_at timestamptz null,
        deleted_by uuid null,
        webhook_id varchar(120) not null,
        event_id uuid not null,
        event_type varchar(40) not null,
        position bigint not null,
        status varchar(10) not null,
        attempts int not null default 0,
        failures int not null default 0,
        next_attempt_at timestamptz null,
        response_status int null,
        response_body text null,
        error text null,
        duration_ms int null,
        delivered_at timestamptz null,
        attempt_log jsonb not null default '[]',
        primary key (business_id, id),
        foreign key (business_id, webhook_id) references webhooks (business_id, id)
      )`);
    this.addSql(`create unique index webhook_deliveries_once on webhook_deliveries (business_id, event_id, webhook_id)`);
    this.addSql(`create index webhook_deliveries_list on webhook_deliveries (business_id, webhook_id, created_at, id)`);
    this.addSql(`create index webhook_deliveries_open on webhook_deliveries (business_id, webhook_id, next_attempt_at, position) where status in ('pending', 'failed')`);
    this.addSql(`create index webhook_deliveries_age on webhook_deliveries (created_at) where status in ('delivered', 'gave_up')`);
  }
}

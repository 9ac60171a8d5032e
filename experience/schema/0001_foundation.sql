-- The event log: append-only, hash-chained, also the change feed of every live index.
create table events (
    seq integer primary key autoincrement,
    at text not null,
    project text not null,
    type text not null,
    subject text not null,
    actor text not null,
    data text not null check (json_valid(data)),
    hash text not null check (length(hash) = 64)
) strict;
create index events_by_type on events (project, type, seq);
create index events_by_subject on events (subject, seq);

create trigger events_are_never_updated before update on events begin
    select raise(abort, 'events are append-only: they cannot be changed');
end;
create trigger events_are_never_deleted before delete on events begin
    select raise(abort, 'events are append-only: they cannot be deleted');
end;
create trigger events_are_never_replaced before insert on events
when exists (select 1 from events where seq = new.seq) begin
    select raise(abort, 'events are append-only: they cannot be replaced');
end;

-- What a store says about itself, such as the project it belongs to.
create table facts_about_store (
    name text primary key,
    value text not null
) strict, without rowid;

-- A key is never given twice (autoincrement): live indexes in other processes know rows by it.
create table experiences (
    key integer primary key autoincrement,
    id text not null unique,
    project text not null,
    type text not null check (type in ('tool_chain', 'user_preference', 'task_solution', 'error_recovery')),
    intent text not null check (length(intent) > 0),
    solution text not null check (json_valid(solution)),
    tags text not null check (json_type(tags) = 'array'),
    success_score real not null check (success_score between 0 and 1),
    weight real not null check (weight between 0 and 1),
    weighed_at text not null,
    use_count integer not null default 0 check (use_count >= 0),
    reported_sum real not null,
    reported_count integer not null default 1 check (reported_count >= 0),
    verified_sum real not null default 0,
    verified_count integer not null default 0 check (verified_count >= 0),
    trust text not null check (trust in ('user', 'verified', 'agent', 'tool', 'external')),
    source text not null,
    created_at text not null,
    last_used_at text not null,
    terms text not null,
    length integer not null check (length >= 0)
) strict;
create index experiences_by_project on experiences (project, created_at);
create index experiences_by_weight on experiences (project, weight);

-- Keyword search over the analysed intents; the terms are plain letters and digits, taken as they are.
create virtual table experiences_fts using fts5 (
    terms, content = 'experiences', content_rowid = 'key', tokenize = 'ascii'
);
create virtual table experiences_vocabulary using fts5vocab ('experiences_fts', 'row');

-- How many rows and terms are indexed: BM25 needs both, and counting them anew would take a scan.
create table corpora (
    name text primary key,
    rows integer not null,
    terms integer not null
) strict, without rowid;
insert into corpora (name, rows, terms) values ('experiences', 0, 0);

create trigger experiences_fts_insert after insert on experiences begin
    insert into experiences_fts (rowid, terms) values (new.key, new.terms);
    update corpora set rows = rows + 1, terms = terms + new.length where name = 'experiences';
end;
create trigger experiences_fts_delete after delete on experiences begin
    insert into experiences_fts (experiences_fts, rowid, terms) values ('delete', old.key, old.terms);
    update corpora set rows = rows - 1, terms = terms - old.length where name = 'experiences';
end;
create trigger experiences_fts_update after update of terms on experiences begin
    insert into experiences_fts (experiences_fts, rowid, terms) values ('delete', old.key, old.terms);
    insert into experiences_fts (rowid, terms) values (new.key, new.terms);
    update corpora set terms = terms - old.length + new.length where name = 'experiences';
end;

create table outcomes (
    key integer primary key,
    id text not null unique,
    project text not null,
    subject text not null,
    score real not null check (score between 0 and 1),
    channel text not null,
    verified integer not null check (verified in (0, 1)),
    evidence text not null check (json_valid(evidence)),
    created_at text not null
) strict;
create index outcomes_by_subject on outcomes (subject, created_at);

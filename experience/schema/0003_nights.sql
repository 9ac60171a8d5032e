-- Leases: which one of many processes may do a job right now. The token grows with every holder, so that one who was
-- paused and wakes up late can be told from the one who holds it now.
create table leases (
    name text primary key,
    holder text not null,
    token integer not null check (token >= 1),
    expires_at text not null
) strict, without rowid;

-- Runs of the night: what each step did, to how much, in what time.
create table job_runs (
    key integer primary key,
    id text not null unique,
    project text not null,
    job text not null,
    state text not null check (state in ('running', 'done', 'failed', 'stopped', 'interrupted', 'undone')),
    holder text not null,
    token integer not null,
    step text,
    progress real not null default 0 check (progress between 0 and 1),
    report text not null default '[]' check (json_type(report) = 'array'),
    before text not null default '{}' check (json_valid(before)),
    after text not null default '{}' check (json_valid(after)),
    started_at text not null,
    finished_at text
) strict;
create index job_runs_by_project on job_runs (project, job, key);

-- Every single change of a run, with what was there before, so that it can be undone.
create table job_changes (
    key integer primary key,
    run text not null,
    project text not null,
    step text not null,
    action text not null,
    kind text not null,
    subject text not null,
    was text not null check (json_valid(was)),
    became text not null check (json_valid(became)),
    undone_at text
) strict;
create index job_changes_by_run on job_changes (run, key);
create index job_changes_by_subject on job_changes (subject);

-- Rows that a run took out of their table, whole: pruned, or folded into another.
create table retired (
    id text primary key,
    project text not null,
    kind text not null,
    was text not null check (json_valid(was)),
    reason text not null check (reason in ('pruned', 'folded')),
    into_id text,
    run text not null,
    at text not null
) strict;
create index retired_by_run on retired (run);

-- What only a person can decide.
create table reviews (
    key integer primary key,
    id text not null unique,
    project text not null,
    kind text not null check (kind in ('supersession', 'promotion', 'quarantine')),
    subject text not null,
    other text not null default '',
    detail text not null check (json_valid(detail)),
    state text not null default 'open' check (state in ('open', 'approved', 'rejected', 'expired')),
    created_at text not null,
    decided_at text,
    decided_by text,
    unique (project, kind, subject, other)
) strict;
create index reviews_open on reviews (project, state, key);

-- Sessions: when each began and was last heard of; an archived one is still searched.
create table sessions (
    key integer primary key,
    id text not null,
    project text not null,
    turns integer not null default 0,
    started_at text not null,
    last_at text not null,
    archived_at text,
    unique (project, id)
) strict;
create index sessions_by_time on sessions (project, archived_at, last_at);
insert into sessions (id, project, turns, started_at, last_at)
select session, project, count(*), min(created_at), max(created_at) from turns group by project, session;

alter table turns add column terms text not null default '';
alter table turns add column length integer not null default 0;
create virtual table turns_fts using fts5 (terms, content = 'turns', content_rowid = 'key', tokenize = 'ascii');
create virtual table turns_vocabulary using fts5vocab ('turns_fts', 'row');
insert into corpora (name, rows, terms) select 'turns', count(*), 0 from turns;

create trigger turns_insert after insert on turns begin
    insert into turns_fts (rowid, terms) values (new.key, new.terms);
    update corpora set rows = rows + 1, terms = terms + new.length where name = 'turns';
    insert into sessions (id, project, turns, started_at, last_at)
    values (new.session, new.project, 1, new.created_at, new.created_at)
    on conflict (project, id) do update set turns = turns + 1, last_at = max(last_at, excluded.last_at),
        archived_at = null;
end;
create trigger turns_delete after delete on turns begin
    insert into turns_fts (turns_fts, rowid, terms) values ('delete', old.key, old.terms);
    update corpora set rows = rows - 1, terms = terms - old.length where name = 'turns';
end;
create trigger turns_update after update of terms, length on turns begin
    insert into turns_fts (turns_fts, rowid, terms) values ('delete', old.key, old.terms);
    insert into turns_fts (rowid, terms) values (new.key, new.terms);
    update corpora set terms = terms - old.length + new.length where name = 'turns';
end;

-- What a derived memory or procedure was made of.
create table links (
    made text not null,
    source text not null,
    project text not null,
    primary key (made, source)
) strict, without rowid;
create index links_by_source on links (source);
